export default {
  book: [
    "intro",
    { type: "category", label: "Building", items: ["building/hulls", { type: "doc", id: "building/sails" }] },
    { type: "link", label: "Elsewhere", href: "https://elsewhere.example/" },
  ],
};
