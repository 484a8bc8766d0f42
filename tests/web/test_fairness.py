"""The page's own checks of a deal, on the shared examples: with WebCrypto, and where the browser withholds it."""

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from tests.web.house import Visitor

VECTORS = json.loads(files("croupier.dealing").joinpath("vectors.json").read_text(encoding="utf-8"))
WITHOUT_WEBCRYPTO = "Object.defineProperty(crypto, 'subtle', { value: undefined })"

CHECK = """async ({ chains, cuts }) => {
  const { Chain } = await import("/js/fairness/chain.js");
  const { checkContributions, checkOpening, permutation } = await import("/js/fairness/cut.js");
  const { fromHex } = await import("/js/fairness/encoding.js");
  const faults = [];
  for (const { name, secret, length, anchor, links } of chains) {
    const chain = await Chain.from(fromHex(secret), length);
    const found = [chain.anchor, ...links.map((_, place) => chain.link(place + 1))];
    if (found.join() !== [anchor, ...links].join()) faults.push(name);
  }
  for (const { name, root, contributions, size, context, order, openings } of cuts) {
    const found = await permutation(root, contributions, size, context);
    if (found.join() !== order.join()) faults.push(`${name}: order`);
    faults.push(...await checkContributions(contributions));
    for (const opening of openings) {
      faults.push(...await checkOpening(opening, root, found, context));
      const other = { ...opening, card: opening.card === "As" ? "Ks" : "As" };
      if (!(await checkOpening(other, root, found, context)).length) faults.push(`${name}: a false card passes`);
    }
  }
  return { faults, webcrypto: Boolean(crypto.subtle) };
}"""


@pytest.mark.parametrize("withheld", [False, True])
def test_the_browser_computes_the_shared_examples(visit: Callable[..., Visitor], withheld: bool) -> None:
    ann = visit()
    if withheld:
        ann.context.add_init_script(WITHOUT_WEBCRYPTO)
        ann.page.reload()
    cuts: list[dict[str, Any]] = [
        {
            "name": case["name"],
            "root": case["root"],
            "contributions": case["contributions"],
            "size": len(case["serverOrder"]),
            "context": case["context"],
            "order": case["permutation"],
            "openings": case["openings"],
        }
        for case in VECTORS["cut-1"]
    ]
    answer = ann.page.evaluate(CHECK, {"chains": VECTORS["chain"], "cuts": cuts})
    assert answer == {"faults": [], "webcrypto": not withheld}
