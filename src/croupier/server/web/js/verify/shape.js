// Whether a proof out of a record has the form that docs/fairness.md gives it: every field there, none too many, each of
// its type. Which values are allowed is for the checks to say.

const isInteger = (value) => typeof value === "number" && Number.isInteger(value);
const isText = (value) => typeof value === "string";
const orNull = (test) => (value) => value === null || test(value);
const listOf = (test) => (value) => Array.isArray(value) && value.every(test);
const objectOf = (fields) => (value) => faultIn(value, fields) === "";

const CONTRIBUTION = { seat: isInteger, anchor: orNull(isText), link: isInteger, value: orNull(isText) };
const OPENING = { k: isInteger, position: isInteger, salt: isText, card: isText, path: listOf(isText) };
const SCHEMES = {
  "shuffle-1": {
    scheme: isText,
    serverSeedHash: isText,
    clientSeed: isText,
    nonce: isInteger,
    serverSeed: orNull(isText),
    nextServerSeedHash: orNull(isText),
  },
  "cut-1": {
    scheme: isText,
    context: objectOf({ table: isText, hand: isInteger, rules: isText, shuffle: isInteger }),
    size: isInteger,
    root: isText,
    contributions: listOf(objectOf(CONTRIBUTION)),
    openings: listOf(objectOf(OPENING)),
    whole: (value) => typeof value === "boolean",
  },
};
const DEFAULTS = { serverSeed: null, nextServerSeedHash: null, whole: false };

/** The name of a field that is missing, unknown or of the wrong type; "" when all is well. */
function faultIn(value, fields) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "$";
  const unknown = Object.keys(value).find((name) => !(name in fields));
  return (
    unknown ?? Object.keys(fields).find((name) => !fields[name](name in value ? value[name] : DEFAULTS[name])) ?? ""
  );
}

/** { proof } with its defaults filled in, or { finding } that names the field that is malformed. */
export function readProof(raw) {
  const fields = SCHEMES[raw?.scheme];
  const fault = fields ? faultIn(raw, fields) : "scheme";
  if (fault)
    return {
      finding: {
        code: "PROOF_MALFORMED",
        facts: { where: fault, fault: String(JSON.stringify(raw?.[fault]) ?? "–").slice(0, 80) },
      },
    };
  const kept = Object.fromEntries(Object.keys(fields).map((name) => [name, raw[name] ?? DEFAULTS[name]]));
  return { proof: kept };
}
