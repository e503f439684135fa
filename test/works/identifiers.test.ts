import { expect, test } from "vitest";
import { arxivIn, doisIn } from "../../src/works/identifiers.ts";

test.each([
  ["https://doi.org/10.1038/nbt.3820.", "10.1038/nbt.3820"],
  ["http://dx.doi.org/10.1001/JAMA.277.4.297A,", "10.1001/jama.277.4.297a"],
  ["(doi:10.1016/0956-716x(90)90531-k)", "10.1016/0956-716x(90)90531-k"],
  [
    "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O",
    "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o",
  ],
  ["https://onlinelibrary.wiley.com/doi/10.1111/jfpp.12874/full", "10.1111/jfpp.12874"],
  ["https://doi.org/10.1002%2Ffee.70021", "10.1002/fee.70021"],
  ["https://www.biorxiv.org/content/10.1101/084210.full.pdf", "10.1101/084210"],
  ["https://doi.org/doi:10.1609/aaai.v35i14.17547}", "10.1609/aaai.v35i14.17547"],
  ["**10.7717/peerj.638**", "10.7717/peerj.638"],
])("the DOI in %s", (text, doi) => {
  expect(doisIn(text)[0]).toBe(doi);
});

test.each([
  ["arXiv:1706.03762v5", "1706.03762"],
  ["https://arxiv.org/pdf/1706.03762.pdf", "1706.03762"],
  ["arXiv preprint arXiv:2302.03287", "2302.03287"],
  ["https://doi.org/10.48550/arXiv.1706.03762", "1706.03762"],
  ["CoRR abs/1706.03762 (2017)", "1706.03762"],
  ["arXiv:hep-th/9901001", "hep-th/9901001"],
  ["arXiv:math.GT/0309136", "math/0309136"],
  ["arXiv:cond-mat.stat-mech/0309136v2", "cond-mat/0309136"],
  ["arXiv preprint arXiv:170603762", "1706.03762"],
  ["in 2017, 1706.03762 of them", undefined],
])("the arXiv number in %s", (text, number) => {
  expect(arxivIn(text)).toBe(number);
});
