/** A work as Crossref answers. */
export const work = (doi: string, title: string, authors: readonly string[], year: number, more: object = {}) => ({
  DOI: doi,
  type: "journal-article",
  title: [title],
  author: authors.map((name) => ({ given: name.split(" ")[0], family: name.split(" ")[1] })),
  "container-title": ["Journal of Kites"],
  issued: { "date-parts": [[year]] },
  ...more,
});

/** The works that a registry of the tests has. */
export const works = [
  work("10.5555/kite.1", "The lift of tethered kites in steady wind", ["Ash Osprey", "Black Linnet"], 2018),
  work("10.5555/kite.2", "Knots that hold wet lines under heavy load", ["Common Moorhen"], 2015),
  work("10.5555/kite.3", "Sails of woven paper after forty winters", ["Dark Petrel", "Eastern Siskin"], 2012),
  work("10.5555/kite.4", "Long flights of small kites over the sea", ["Frosted Bunting"], 2016, {
    "updated-by": [{ DOI: "10.5555/notice.4", type: "retraction" }],
  }),
  work("10.5555/kite.5", "Learning to steer a kite from its own noise", ["Golden Raven"], 2024),
];
