import { describe, expect, test } from "vitest";
import { edited, text, told } from "./builds.ts";

/**
 * Pages in the layouts of generators, wikis and forums that no measure has: built with another version of the theme, on
 * another day, with one more page in the menu, they are the same; with a changed sentence, that is told, once.
 */

type Build = (text: string, version: number) => string;

const pages = (version: number) => ["Start", "Engine", "Gears", "Wheels", "Brakes", "Lamps"].slice(0, 3 + version);
const links = (version: number) => pages(version).map((name) => `<a href="/${name.toLowerCase()}">${name}</a>`);
const items = (version: number) =>
  links(version)
    .map((link) => `<li>${link}</li>`)
    .join("");

const builds: Readonly<Record<string, Build>> = {
  VitePress: (body, version) => `<div class="Layout"><span tabindex="-1"></span>
    <a href="#VPContent" class="VPSkipLink visually-hidden">Skip to content</a>
    <header class="VPNav"><div class="VPNavBar"><a class="title" href="/">Engine</a><button>Search</button>
      <div class="VPFlyout"><button>v${version}.0</button><div class="menu"><a href="/old">Changelog ${version}</a></div></div></div></header>
    <aside class="VPSidebar"><nav><h2>Guide</h2>${links(version).join("")}</nav></aside>
    <div class="VPContent" id="VPContent"><div class="VPDoc"><div class="aside"><div class="VPDocAsideOutline">On this page</div></div>
      <main class="main"><div class="vp-doc"><h1 id="engine">Engine <a class="header-anchor" href="#engine">&ZeroWidthSpace;</a></h1>${body}
      <div class="language-sh${version > 1 ? " vp-adaptive-theme" : ""}"><button title="Copy Code"></button>${version > 1 ? '<span class="lang">sh</span>' : ""}<pre><code>start --all</code></pre></div></div></main>
      <footer class="VPDocFooter"><div class="edit-info"><a href="/edit">${version > 1 ? "Suggest changes to" : "Edit"} this page</a><p>Last updated: <time>1/${version}/26, 9:00 AM</time></p></div>
        <nav><a href="/s"><span>Previous page</span><span>Page ${version}</span></a></nav></footer></div></div>
    <footer class="VPFooter"><p>Released under the MIT License ${version}.</p></footer></div>`,

  Starlight: (body, version) => `<a href="#_top">Skip to content</a><div class="page">
    <header class="header"><a href="/" class="site-title">Engine</a><site-search><button>Search</button><dialog aria-label="Search"><div>Cancel ${version}</div></dialog></site-search>
      <starlight-theme-select><label>Select theme<select><option>Dark</option></select></label></starlight-theme-select></header>
    <nav class="sidebar" aria-label="Main">${items(version)}</nav><div class="main-frame"><div class="lg:sl-flex">
    <aside class="right-sidebar-container"><h2>On this page</h2><a href="#a">Overview</a></aside>
    <main data-pagefind-body>${version > 1 ? '<div class="sl-banner" data-pagefind-ignore>We released version 2, <a href="/n">read on</a>.</div>' : ""}
      <div class="content-panel"><h1 id="_top">Engine</h1></div><div class="content-panel"><div class="sl-markdown-content">${body}</div>
      <footer><div class="meta"><a href="/edit">Edit page</a><p>Last updated: <time>Jan ${version}, 2026</time></p></div>
      <div class="pagination-links"><a rel="next" href="/g"><span>Next<br><span class="link-title">Gears ${version}</span></span></a></div></footer></div></main></div></div></div>`,

  rustdoc: (body, version) => `<nav class="mobile-topbar"><a href="#">Engine</a></nav>
    <nav class="sidebar"><h2><a href="../index.html">engine</a><span class="version">${version}.0.0</span></h2><ul>${items(version)}</ul></nav>
    <main><div class="width-limiter"><section id="main-content" class="content"><div class="main-heading">
      <h1>Struct <span class="struct">Engine</span><button id="copy-path">Copy item path</button></h1>
      ${version > 1 ? "<rustdoc-toolbar></rustdoc-toolbar>" : '<span class="out-of-band"><button id="toggle-all-docs">[−]</button></span>'}<span class="sub-heading"><a class="src" href="../src/engine.rs.html#${version}2-${version}9">Source</a></span></div>
      <details class="toggle top-doc" open><summary class="hideme"><span>Expand description</span></summary><div class="docblock">${body}</div></details>
      <h2 id="fields">Fields<a href="#fields" class="anchor">§</a></h2><p>Speed and oil, and nothing that is not told.</p></section></div></main>`,

  GitBook: (
    body,
    version,
  ) => `<div class="gitbook-root"><header id="site-header" class="sticky"><a href="/" class="group"><div>Engine docs</div></a>
      <div role="search"><button>Ask or search…<kbd>⌘K</kbd></button></div></header>
    <div class="flex"><aside data-testid="table-of-contents" id="table-of-contents"><ul>${items(version)}</ul><a href="https://www.gitbook.com">Powered by GitBook</a></aside>
    <main class="relative"><header class="page-header"><nav aria-label="Breadcrumb"><ol><li><a href="/g">Guide</a></li></ol></nav><h1>Engine</h1></header>
      <div class="page-body">${body}</div>
      <div class="flex"><a href="/s"><span>Previous</span><span>Start ${version}</span></a><a href="/g"><span>Next</span><span>Gears</span></a></div>
      <div class="print:hidden"><p>Last updated <time>${version} months ago</time></p><div role="toolbar">Was this helpful?<button>Yes</button><button>No</button></div></div></main>
    <aside id="page-toc"><ul><li><a href="#a">Overview ${version}</a></li></ul></aside></div></div>`,

  "Read the Docs": (
    body,
    version,
  ) => `<div class="wy-grid-for-nav"><nav data-toggle="wy-nav-shift" class="wy-nav-side"><div class="wy-side-nav-search"><a href="index.html" class="icon icon-home">Engine</a>
      <div class="version">${version}.0</div><div role="search"><form id="rtd-search-form"><input type="text" name="q" placeholder="Search docs"></form></div></div>${items(version)}</nav>
    <section data-toggle="wy-nav-shift" class="wy-nav-content-wrap"><div class="wy-nav-content"><div class="rst-content">
      <div role="navigation" aria-label="Page navigation"><ul class="wy-breadcrumbs"><li>Engine</li><li><a href="/e">Edit on GitHub</a></li></ul></div>
      <div role="main" class="document"><div itemprop="articleBody">
      ${version > 1 ? '<div class="version-warning">This is the documentation of a version that nobody maintains. <a href="/latest">Read the latest version.</a></div>' : ""}
      <section id="engine"><h1>Engine<a class="headerlink" href="#engine">${version > 1 ? "¶" : ""}</a></h1>${body}</section></div></div>
      <footer><div class="rst-footer-buttons"><a href="g.html">Next ${version}</a></div><div role="contentinfo"><p>© Copyright 202${version}, Makers. <span class="lastupdated">Last updated on Jan ${version}, 2026. <span class="commit">Revision 1a2b3c${version}</span></span></p></div>
      Built with Sphinx using a theme provided by Read the Docs.</footer></div></div></section></div>
    <div class="rst-versions" data-toggle="rst-versions" role="note" aria-label="versions"><span class="rst-current-version">v: ${version}.0</span>
      <div class="rst-other-versions"><dl><dt>Versions</dt><dd><a href="/l">latest</a></dd><dd><a href="/s">stable</a></dd></dl><dl><dt>Downloads</dt><dd><a href="/p">pdf</a></dd></dl></div></div>`,

  Confluence: (
    body,
    version,
  ) => `<div id="page"><ul id="assistive-skip-links" class="assistive"><li><a href="#title-heading">Skip to content</a></li></ul>
    <header id="header" role="banner"><nav class="aui-header"><a href="/">Confluence ${version}</a></nav></header>
    <div class="ia-fixed-sidebar"><div class="acs-side-bar"><ul>${items(version)}</ul></div></div>
    <div id="main" class="aui-page-panel"><div id="main-header"><div id="navigation"><ul class="ajs-menu-bar"><li><a href="/e">Edit</a></li><li>${version} watchers</li></ul></div>
      <h1 id="title-heading"><span id="title-text"><a href="/display/E/Engine">Engine</a></span></h1></div>
    <div id="content" class="page view"><div class="page-metadata"><ul class="banner"><li class="page-metadata-item"><a href="/pages/viewpageattachments">${version} attachments</a></li>
      <li class="page-metadata-modification-info">Created by <span class="author"><a href="/u">A. Writer</a></span>, last modified on <a href="/d">Jan 0${version}, 2026</a></li></ul></div>
      <div id="main-content" class="wiki-content">${body}</div>
      <div id="likes-and-labels-container"><div id="likes-section"><a class="like-button" href="#">Like</a><span class="like-summary">${version} people like this</span></div><div id="labels-section">No labels</div></div>
      <div id="comments-section" class="pageSection"><div class="section-header"><h2 class="section-title">${version} Comments</h2></div></div></div></div>
    <div id="footer" role="contentinfo"><section class="footer-body"><ul><li>Powered by Atlassian Confluence ${version}.1</li><li>Printed by Atlassian Confluence</li></ul></section></div></div>`,

  MediaWiki: (
    body,
    version,
  ) => `<div id="mw-page-base"></div><div id="content" class="mw-body" role="main"><a id="top"></a>
      <div id="siteNotice">${version > 1 ? "<div><p>The yearly meeting of all who build is on 12 June, come along!</p></div>" : ""}</div>
      <h1 id="firstHeading">Engine</h1><div id="bodyContent" class="vector-body"><div id="siteSub">From Engines, the free encyclopedia</div>
      <div id="jump-to-nav"></div><a class="mw-jump-link" href="#mw-head">Jump to navigation</a><a class="mw-jump-link" href="#searchInput">Jump to search</a>
      <div id="mw-content-text"><div class="mw-parser-output"><div id="toc" class="toc" role="navigation"><h2>Contents</h2><ul><li><a href="#a">1 Overview</a></li></ul></div>${body}
      <h2><span id="Use">Use</span><span class="mw-editsection"><span>[</span><a href="/e">edit${version > 1 ? " source" : ""}</a><span>]</span></span></h2><p>It is used wherever there is something to be driven.</p></div>
      <div class="printfooter" data-nosnippet>Retrieved from "<a href="/w?oldid=${version}00">https://e.example/w?oldid=${version}00</a>"</div></div>
      <div id="catlinks" class="catlinks"><div id="mw-normal-catlinks"><a href="/c">Category</a>: <ul><li><a href="/m">Machines</a></li></ul></div></div></div></div>
    <div id="mw-navigation"><h2>Navigation menu</h2><nav><h3>Tools</h3><ul>${items(version)}</ul></nav></div>
    <footer id="footer" role="contentinfo"><ul><li id="footer-info-lastmod"> This page was last edited on ${version} January 2026, at 10:0${version}.</li></ul></footer>`,

  Notion: (
    body,
    version,
  ) => `<article id="1f-${version}" class="page sans"><header>${version > 1 ? '<div class="page-header-icon undefined"><span class="icon">⚙️</span></div>' : ""}<h1 class="page-title">Engine</h1><p class="page-description"></p></header>
      <div class="page-body">${body.replaceAll("<p>", `<p id="b${version}" class="">`)}<figure class="block-color-gray_background callout" id="c${version}"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%">Keep the oil at hand.</div></figure></div></article>
      <span class="sans" style="font-size:14px;padding-top:2em"></span>`,

  Discourse: (
    body,
    version,
  ) => `<header class="d-header"><a href="/">Engines</a></header><div id="main-outlet" class="wrap" role="main">
      <div id="topic-title"><h1><a href="/t/engine/${version}">Engine</a></h1><div class="topic-category"><span><a href="/c/help" class="badge-wrapper"><span class="category-name">Help</span></a></span></div></div>
      <div itemscope itemtype="http://schema.org/DiscussionForumPosting"><div id="post_1" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author"><a href="/u/a"><span itemprop="name">a_writer</span></a></span>
        <span class="crawler-post-infos"><time class="post-time" datetime="2026-01-01T10:00:00Z">January 1, 2026, 10:00am</time><span itemprop="position">1</span></span></div>
      <div class="post" itemprop="text">${body}</div>
      <div itemprop="interactionStatistic" itemscope><meta itemprop="userInteractionCount" content="${version}"><span class="post-likes">${version} Likes</span></div></div></div>
      <div id="related-topics" class="more-topics__list" role="complementary"><h3 class="more-topics__list-title">Related topics</h3><div class="topic-list-container"><table class="topic-list"><thead><tr><th>Topic</th><th>Replies</th><th>Views</th></tr></thead>
        <tbody><tr class="topic-list-item"><td><a href="/t/${version}">Which oil in year ${version}</a></td><td>${version}</td><td>${version}41</td></tr></tbody></table></div></div></div>
    <footer class="container wrap"><nav class="crawler-nav"><ul><li><a href="/">Home</a></li></ul></nav></footer>`,

  "JSDoc and its themes": (
    body,
    version,
  ) => `<div id="main"><h1 class="page-title">Class: Engine</h1><section><header><h2>Engine<span class="signature">(port)</span></h2><div class="class-description">${body}</div></header>
      <article><div class="container-overview"><h4 class="name">new Engine(port)</h4><dl class="details"><dt class="tag-source">Source:</dt><dd class="tag-source"><ul class="dummy"><li><a href="engine.js.html">engine.js</a>, <a href="engine.js.html#line${version}3">line ${version}3</a></li></ul></dd></dl></div></article></section></div>
    <nav><h2><a href="index.html">Home</a></h2><ul>${items(version)}</ul></nav><footer>Documentation generated by <a href="https://jsdoc.app">JSDoc ${version}.0.1</a> on Thu Jan 0${version} 2026</footer>`,

  YARD: (
    body,
    version,
  ) => `<div id="main"><div id="header"><div id="menu"><a href="_index.html">Index (E)</a> » <span class="title">Engine</span></div><div id="search"><a class="full_list_link" href="c.html"></a></div></div>
    <div id="content"><h1>Class: Engine</h1>${body}<h2>Overview</h2><table class="source_code"><tr><td><pre class="lines">${version}7\n${version}8</pre></td><td><pre class="code"># File 'lib/engine.rb', line ${version}7\n\ndef start; end</pre></td></tr></table></div>
    <div id="footer">Generated on Thu Jan 0${version} 10:00:0${version} 2026 by <a href="https://yardoc.org">yard</a> 0.9.${version} (ruby-3.1.2).</div></div>`,

  honkit: (
    body,
    version,
  ) => `<div class="book"><div class="book-summary"><nav role="navigation"><ul class="summary">${items(version)}<li class="divider"></li><li><a href="https://g.example" class="gitbook-link">Published with HonKit</a></li></ul></nav></div>
    <div class="book-body"><div class="body-inner"><div class="book-header" role="navigation"><h1><i class="fa"></i><a href="." >Engine</a></h1></div><div class="page-wrapper" role="main"><div class="page-inner">
    <div id="book-search-results"><div class="search-noresults"><section class="normal markdown-section"><h1 id="engine">Engine</h1>${body}</section></div>
    ${version > 1 ? `<div class="search-results"><div class="has-results"><h1 class="search-results-title"><span></span> results matching "<span></span>"</h1><ul></ul></div><div class="no-results"><h1 class="search-results-title">No results matching "<span></span>"</h1></div></div>` : ""}</div></div></div></div></div></div>`,

  Nextra: (
    body,
    version,
  ) => `<a class="nextra-skip-nav" href="#nextra-skip-nav">Skip to Content</a>${version > 1 ? '<div class="nextra-banner"><div>Version 2 is out. <a href="/n">Read more →</a></div><button>x</button></div>' : ""}
    <header class="nextra-navbar"><nav><a href="/">Engine</a></nav></header><div class="mx-auto flex"><aside class="nextra-sidebar"><ul>${items(version)}</ul></aside>
    <nav class="nextra-toc" aria-label="table of contents"><p>On This Page</p><a href="#a">Overview</a><a href="/feedback">Question? Give us feedback</a></nav>
    <article class="nextra-body"><div class="nextra-breadcrumb">Guide › Engine</div><main data-pagefind-body><h1>Engine</h1>${body}</main>
    <div class="nextra-timestamp">Last updated on January ${version}, 2026</div><div class="pagination"><a href="/g">Gears ${version}</a></div></article></div><footer class="nextra-footer">MIT 202${version} © Makers.</footer>`,

  Mintlify: (
    body,
    version,
  ) => `<div id="navbar"><a href="/">Engine home page</a><button>Search…</button><a href="/s">Support ${version}</a></div><div id="sidebar"><div id="navigation-items">${items(version)}</div></div>
    <div id="content-area"><header id="header"><div class="eyebrow">Guides</div><h1 id="page-title">Engine</h1><div class="page-context-menu"><button>Copy page</button></div></header>
    <div class="mdx-content" id="content">${body}</div><div class="feedback-toolbar"><p>Was this page helpful?</p><button>Yes</button><button>No</button><a href="/e">Suggest edits</a><a href="/i">Raise issue</a></div>
    <div id="pagination"><a href="/s">Start</a><a href="/g">Gears ${version}</a></div></div>
    <div id="chat-assistant-sheet" role="dialog" aria-hidden="true"><div>Assistant</div><div>Responses are made by a machine and may hold mistakes ${version}.</div></div><footer id="footer"><a href="/x">x</a><a href="https://m.example">Powered by Mintlify</a></footer>`,

  ReadMe: (
    body,
    version,
  ) => `<div class="ContentWithOwlbotx"><header class="rm-Header"><a class="rm-Logo" href="/">Engine</a><a href="/login">Log In</a><button class="rm-Header-bottom-link">v${version}.0</button></header>
    <main class="rm-Guides" id="Explorer"><div class="rm-Container"><nav class="rm-Sidebar" id="hub-sidebar">${items(version)}</nav><article class="rm-Article" id="content"><header id="content-head"><div class="row"><div class="col-xs-9"><h1>Engine</h1></div><div id="content-head-actions"><a class="suggestEdits" href="/e">Suggest Edits</a></div></div></header>
    <div class="grid-container-fluid" id="content-container"><section class="content-body"><div class="rm-Markdown markdown-body">${body}</div><div class="UpdatedAt"><p class="DateLine"><i class="icon"></i>Updated <span>${version} months ago</span></p></div>
    <nav class="PaginationControls"><a href="/g">Gears</a></nav><div class="PageThumbs">Did this page help you?<button>Yes</button><button>No</button></div></section></div></article></div></main></div>`,

  ExDoc: (
    body,
    version,
  ) => `<div class="body-wrapper"><nav id="sidebar" class="sidebar"><div class="sidebar-header"><a href="/" class="sidebar-projectName">engine</a><div class="sidebar-projectVersion">v${version}.0.1</div></div><ul>${items(version)}</ul></nav>
    <output role="status" id="toast"></output><main class="content page-module" id="main"><div id="content" class="content-inner"><div class="top-search"><div class="search-settings"><form class="search-bar"><input type="search" placeholder="Search the documentation of engine (press /)"></form></div></div>
    <div class="heading-with-actions top-heading"><h1><a href="/src#L${version}" title="View Source" class="icon-action" rel="help"><i></i><span class="sr-only">View Source</span></a>Engine <small class="app-vsn" translate="no">(engine v${version}.0.1)</small></h1></div>
    <section id="moduledoc">${body}</section></div><footer class="footer"><p><span class="line"><a href="https://hex.pm/engine/${version}">Hex Package</a> <a href="/p">Hex Preview</a></span></p><p class="built-using">Built using <a href="https://e.example">ExDoc</a> (v0.3${version}.0) for the Elixir programming language</p></footer></main></div>`,

  "a Jekyll theme for documentation": (
    body,
    version,
  ) => `<a class="skip-to-main" href="#main-content">Skip to main content</a><div class="side-bar"><div class="site-header"><a href="/" class="site-title lh-tight">Engine</a></div><nav aria-label="Main" class="site-nav"><ul class="nav-list">${items(version)}</ul></nav><footer class="site-footer">This site uses a theme.</footer></div>
    <div class="main" id="top"><div id="main-header" class="main-header"><div class="search" role="search"><div class="search-input-wrap"><input type="text" placeholder="Search Engine"></div></div><nav class="aux-nav"><a href="/g">Our repository ${version}</a></nav></div>
    <div class="main-content-wrap"><div id="main-content" class="main-content"><main><h1 id="engine"><a href="#engine" class="anchor-heading" aria-labelledby="engine"></a>Engine</h1>${body}</main>
    <hr><footer><p><a href="#top" id="back-to-top">Back to top</a></p><p>Copyright © 201${version}-202${version} Makers.</p><div class="d-flex mt-2"><p>Page last modified: <span>Jan ${version} 2026 at 10:00 AM</span>.</p><p><a href="/e">Edit this page on GitHub</a></p></div></footer></div></div></div>`,

  "Hugo themes": (
    body,
    version,
  ) => `<header><nav class="td-navbar"><a class="navbar-brand" href="/">Engine</a><ul class="navbar-nav"><li><a href="/docs">Documentation</a></li><li><div class="dropdown"><a class="dropdown-toggle" href="#">Versions</a><ul class="dropdown-menu"><li><a href="/v${version}">v${version}</a></li></ul></div></li></ul></nav></header>
    <div class="td-main"><div class="row"><aside class="td-sidebar d-print-none"><div id="td-sidebar-menu"><form class="td-sidebar__search"><input type="search" placeholder="Search this site…"></form><ul>${items(version)}</ul></div></aside>
    <aside class="td-sidebar-toc"><div class="td-page-meta"><a href="/e">Edit this page</a><a href="/c">Create child page</a><a href="/i">Create documentation issue</a></div><div class="td-toc"><a href="#a">Overview ${version}</a></div></aside>
    <main class="col-12" role="main"><nav aria-label="breadcrumb" class="td-breadcrumbs"><ol><li><a href="/docs">Documentation</a></li></ol></nav><div class="pageinfo pageinfo-primary td-version-banner" data-proofer-ignore>${version > 1 ? "<p>Version 1 of the documentation is no longer actively maintained. The site that you are viewing is an archived snapshot.</p>" : ""}</div>
    <div class="td-content"><h1>Engine</h1><header class="article-meta"><p class="reading-time">${version} minute read</p></header>${body}
    <div class="td-page-meta__lastmod">Last modified January ${version}, 2026: <a href="/commit">Say it better (1a2b3c${version})</a></div></div><h2 class="feedback--title">Feedback</h2><p class="feedback--question">Was this page helpful?</p><button>Yes</button><button>No</button></main></div></div><footer class="td-footer">© 202${version} The Makers</footer>`,

  Antora: (
    body,
    version,
  ) => `<header class="header"><nav class="navbar"><div class="navbar-brand"><a class="navbar-item" href="/">Engine Docs</a><div class="navbar-item search hide-for-print"><div id="search-field" class="field"><input id="search-input" type="text" placeholder="Search the docs"></div></div></div></nav></header>
    <div class="body"><div class="nav-container" data-component="engine" data-version="${version}.0"><aside class="nav"><div class="panels"><div class="nav-panel-menu"><nav class="nav-menu"><ul>${items(version)}</ul></nav></div><div class="nav-panel-explore"><div class="context"><span class="title">Engine</span><span class="version">${version}.0</span></div></div></div></aside></div>
    <main class="article"><div class="toolbar" role="navigation"><nav class="breadcrumbs"><ul><li><a href="/">Engine</a></li></ul></nav><div class="page-versions"><button class="version-menu-toggle">${version}.0</button><div class="version-menu"><a class="version" href="/1">${version}.0</a></div></div><div class="edit-this-page"><a href="/e">Edit this Page</a></div></div>
    <div class="content"><aside class="toc sidebar"><h3>Contents</h3></aside><article class="doc"><h1 class="page">Engine</h1>${body}<nav class="pagination"><span class="next"><a href="/g">Gears ${version}</a></span></nav></article></div></main></div><footer class="footer"><p>This page was built using the Antora default UI ${version}.</p></footer>`,

  "a help centre": (
    body,
    version,
  ) => `<a class="skip-navigation" href="#main-content">Skip to main content</a><header class="header"><div class="logo"><a href="/hc"><span>Engine Help</span></a></div><div class="nav-wrapper"><a class="sign-in" href="/in">Sign in</a></div></header>
    <main role="main"><div class="container"><nav class="sub-nav"><ol class="breadcrumbs"><li><a href="/hc">Engine Help</a></li></ol><form role="search" class="search"><input type="search" placeholder="Search"></form></nav>
    <div class="article-container" id="article-container"><aside class="article-sidebar"><div class="collapsible-sidebar"><h3 class="sidenav-title">Articles in this section</h3><ul>${items(version)}</ul></div></aside>
    <article id="main-content" class="article"><header class="article-header"><h1 title="Engine" class="article-title">Engine</h1><div class="article-author"><div class="article-meta"><a href="/p">A. Writer</a><div class="meta-group"><span class="meta-data"><time datetime="2026-01-0${version}">${version} months ago</time></span><span class="meta-data">Updated</span></div></div></div><button class="article-subscribe">Follow</button></header>
    <section class="article-info"><div class="article-content"><div class="article-body">${body}</div></div></section>
    <footer><div class="article-footer"><div class="article-share"><ul class="share"><li><a href="/f">Facebook</a></li></ul></div></div><div class="article-votes"><span class="article-votes-question">Was this article helpful?</span><button>Yes</button><button>No</button><small class="article-votes-count"><span>${version}1 out of ${version}9 found this helpful</span></small></div><div class="article-more-questions">Have more questions? <a href="/r">Submit a request</a></div><div class="article-return-to-top"><a href="#article-container">Return to top</a></div></footer>
    <section class="article-relatives"><div class="related"><h3>Related articles</h3><ul><li><a href="/a/${version}">Which oil in year ${version}</a></li></ul></div></section></article></div></div></main><footer class="footer"><a href="/hc">Engine Help</a></footer>`,

  "a weblog": (
    body,
    version,
  ) => `<div id="page" class="site"><a class="skip-link screen-reader-text" href="#content">Skip to content</a><header id="masthead" class="site-header"><p class="site-title"><a href="/" rel="home">Engine News</a></p><p class="site-description">All that drives ${version}</p><nav id="site-navigation" class="main-navigation"><ul>${items(version)}</ul></nav></header>
    <div id="content" class="site-content"><div id="primary" class="content-area"><main id="main" class="site-main"><article id="post-1" class="post type-post hentry"><header class="entry-header"><h1 class="entry-title">Engine</h1><div class="entry-meta"><span class="posted-on">Posted on <a href="/e" rel="bookmark"><time class="entry-date published">1 January 2026</time></a></span><span class="comments-link"><a href="#comments">${version} Comments</a></span></div></header>
    <div class="entry-content">${body}<div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">Share this:</h3><ul><li><a class="sd-button" href="/f">Facebook</a></li></ul></div><div id="jp-relatedposts" class="jp-relatedposts"><h3 class="jp-relatedposts-headline"><em>Related</em></h3><div><a href="/${version}">Oil of year ${version}</a></div></div></div></article>
    <nav class="navigation post-navigation"><h2 class="screen-reader-text">Post navigation</h2><div class="nav-links"><a href="/g" rel="next">Gears ${version}</a></div></nav>
    <div id="comments" class="comments-area"><h2 class="comments-title">${version} thoughts on “Engine”</h2><div id="respond" class="comment-respond"><h3 id="reply-title">Leave a Reply</h3><form id="commentform"><p>Your email address will not be published.</p><label>Comment<textarea></textarea></label></form></div></div></main></div>
    <aside id="secondary" class="widget-area"><section class="widget widget_recent_entries"><h2 class="widget-title">Recent Posts</h2><ul><li><a href="/p${version}">News ${version}</a></li></ul></section></aside></div><footer id="colophon" class="site-footer"><div class="site-info">Proudly powered by WordPress</div></footer></div>`,

  "a vendor's documentation": (
    body,
    version,
  ) => `<div id="ms--skip-to-content-container"><a href="#main">Skip to main content</a></div><div id="unsupported-browser" hidden><p>This browser is no longer supported.</p></div>
    <header id="ms--site-header" role="banner"><a href="/">Learn</a></header><section class="primary-layout-section"><div id="left-container"><nav id="affixed-left-container" role="navigation">${items(version)}</nav></div>
    <main id="main" role="main" data-bi-name="content"><nav id="article-header"><ol id="article-header-breadcrumbs"><li><a href="/l">Learn</a></li></ol><div id="article-header-page-actions"><button>Focus mode ${version}</button></div></nav>
    <div id="ms--additional-notifications" role="alertdialog"><p>Access to this page requires authorization. You can try signing in or changing directories.</p></div>
    <h1 id="engine">Engine</h1><div class="display-flex" id="article-metadata" data-bi-name="page info"><ul class="metadata page-metadata"><li class="visibility-hidden-visual-diff"><time datetime="2026-01-0${version}">0${version}/01/2026</time></li><li>${version} contributors</li></ul></div>
    <nav id="center-doc-outline" aria-label="In this article"><h2>In this article</h2><ol><li><a href="#a">Overview</a></li></ol></nav><div class="content">${body}</div>
    <section class="feedback-section" id="site-user-feedback-footer"><h2>Feedback</h2><p>Was this page helpful?</p><button>Yes</button><button>No</button></section>
    <section id="additional-resources"><h2>Additional resources</h2><ul><li><a href="/t${version}">Training ${version}</a></li></ul></section></main></section><footer id="footer" role="contentinfo">© Makers 202${version}</footer>`,

  "a wiki of a forge": (
    body,
    version,
  ) => `<div class="application-main"><main id="js-repo-pjax-container"><div id="repository-container-header" class="pt-3 hide-full-screen"><div class="d-flex"><strong itemprop="name"><a href="/o/engine">engine</a></strong><span class="Label">Public</span><ul class="pagehead-actions"><li><a class="btn-sm btn" href="/n">Notifications</a></li><li><a class="btn" href="/f">Fork <span id="repo-network-counter" class="Counter">${version}3</span></a></li><li><a class="btn" href="/s">Star <span class="Counter js-social-count">1.${version}k</span></a></li></ul></div></div>
    <turbo-frame><div id="repo-content-pjax-container"><div class="gh-header"><h1 class="gh-header-title">Engine</h1><div class="gh-header-meta">A. Writer edited this page <relative-time datetime="2026-01-01">Jan ${version}, 2026</relative-time> · <a class="Link--muted" href="/_history">${version}${version} revisions</a></div></div>
    <div id="wiki-content"><div class="Layout"><div class="Layout-main"><div id="wiki-body"><div class="markdown-body">${body}</div></div></div><div class="Layout-sidebar"><div class="wiki-rightbar" id="wiki-pages-box"><nav class="wiki-pages-box"><details><summary>Pages <span class="Counter">${version}0</span></summary><ul>${items(version)}</ul></details></nav></div></div></div></div></div></turbo-frame></main></div>
    <footer class="footer" role="contentinfo"><h2 class="sr-only">Footer</h2><span>© 202${version} Forge, Inc.</span></footer>`,
};

const edit = expect.stringMatching(/^The crank of the engine .* → The crank has another bearing/);

describe.each(Object.entries(builds))("%s", (_, build) => {
  test("built a second time is the same page", () => {
    expect(told(build(text, 1), build(text, 2))).toEqual([]);
  });

  test("with a changed sentence reports that sentence, once, and nothing else", () => {
    expect(told(build(text, 1), build(edited, 2))).toEqual([edit]);
    expect(told(build(text, 2), build(edited, 2))).toEqual([edit]);
  });
});
