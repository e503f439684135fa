import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import { readerOf } from "../reader.ts";
import { packageAt } from "../shared/address.ts";
import { limitItems } from "../shared/body.ts";
import { versionItem } from "../shared/given.ts";
import { childrenNamed, elementAt, parseXml, xmlTextAt } from "../shared/xml.ts";

/** An artifact of Maven Central: its versions as items, from the list that Maven itself reads, which has no dates. */
export const maven = readerOf({
  kind: "maven",
  spec: "https://maven.apache.org/repositories/metadata.html",
  noun: "artifact",
  cadence: "12h",
  example: "org.slf4j:slf4j-api",
  address: z
    .string()
    .max(300)
    .regex(/^[a-z\d](?:\.?[\w-])*:[a-z\d][\w.-]*$/i, "needs group:artifact, e.g. org.slf4j:slf4j-api"),
  recognises: (url) => {
    const shown = packageAt(sites, "artifact", 2)(url);
    return shown && { ...shown, address: shown.address.replace("/", ":") };
  },
  sameName: (address) => address,
  version: 2,
  request: ({ address }) => {
    const [group = "", artifact = ""] = address.split(":");
    return {
      url: `https://repo1.maven.org/maven2/${group.replaceAll(".", "/")}/${artifact}/maven-metadata.xml`,
      accept: "text/xml,application/xml",
    };
  },
  read,
  page: ({ address }) => `https://central.sonatype.com/artifact/${address.replace(":", "/")}`,
  titleOf: ({ address }) => `${address} on Maven Central`,
  versionsOf: (address) => address.split(":").at(-1) ?? address,
});

/** Sites that show Maven Central, by `/artifact/group/artifact` and one of its versions. */
const sites = ["central.sonatype.com", "mvnrepository.com", "search.maven.org"];

function read(response: Response): Reading {
  const root = parseXml(response, "metadata");
  const artifact = xmlTextAt(root, "artifactId") ?? "";
  const listed = elementAt(root, "versioning", "versions");
  const versions = limitItems(listed ? childrenNamed(listed, "version") : []);
  const items = versions.flatMap((element): Item[] => {
    const version = xmlTextAt(element);
    return version === undefined ? [] : [versionItem(artifact, version, { pre: isPre(version) })];
  });
  return { items: items.reverse() };
}

/** Pre-releases in Maven's order of versions: https://maven.apache.org/pom.html#version-order-specification */
function isPre(version: string): boolean {
  return /(?:[.-]|\d)(?:alpha|beta|milestone|rc|cr|snapshot|[abm](?=[.-]?\d))(?![a-z])/i.test(version);
}
