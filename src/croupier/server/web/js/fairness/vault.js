// What this browser must remember to notice a lie: values that are put once and never change, and logs that only grow.
// IndexedDB holds them for all tabs, across reloads, also over plain HTTP. What was put or appended is kept before the
// promise resolves, so that the page may act on it. Every method rejects where the browser keeps nothing.

const DATABASE = "croupier-vault";
const VALUES = "once";
const LINES = "logs";
const NAME = /^[a-z0-9][a-z0-9_-]{0,99}(\/[a-z0-9][a-z0-9_-]{0,99})*$/;
const NAME_CHARACTERS_MAX = 400;

let opening = null;

/** The vault of this browser. */
export const vault = {
  /** Keeps a text under a key for ever. False when the key has one already, which stays. */
  async put(key, value) {
    try {
      await transact(VALUES, "readwrite", (store) => store.add(value, checked(key)));
      return true;
    } catch (error) {
      if (error.name === "ConstraintError") return false;
      throw error;
    }
  },

  /** The text of a key; null when it has none. */
  async get(key) {
    return (await vault.getAll([key]))[0];
  },

  /** The texts of several keys, in order; null for a key that has none. */
  async getAll(keys) {
    const requests = await transact(VALUES, "readonly", (store) => keys.map((key) => store.get(checked(key))));
    return requests.map(({ result }) => result ?? null);
  },

  /** Keeps several texts for ever, all of them or none. The key that has another text already; null when all are kept. */
  async bind(entries) {
    let clash = null;
    const keep = (store) => {
      for (const [key, value] of entries) {
        const request = store.add(value, checked(key));
        request.onerror = (event) => {
          if (request.error.name !== "ConstraintError") return;
          // It is there already: whether as the same text decides about all.
          event.preventDefault();
          store.get(key).onsuccess = ({ target }) => {
            if (target.result === value || clash !== null) return;
            clash = key;
            store.transaction.abort();
          };
        };
      }
    };
    try {
      await transact(VALUES, "readwrite", keep);
    } catch (error) {
      if (clash === null) throw error;
    }
    return clash;
  },

  /** Adds a line to a log. */
  append(log, line) {
    return vault.appendAll([[log, line]]);
  },

  /** Adds lines to logs, all of them or none. */
  async appendAll(lines) {
    for (const [, line] of lines)
      if (!line || line.includes("\n")) throw new RangeError("a log takes one line at a time, and no empty one");
    await transact(LINES, "readwrite", (store) => {
      for (const [log, line] of lines) store.add({ log: checked(log), line });
    });
  },

  /** The newest line of a log; null when it has none. */
  async last(log) {
    const newest = (store) => store.index("log").openCursor(IDBKeyRange.only(checked(log)), "prev");
    return (await transact(LINES, "readonly", newest))?.result?.value.line ?? null;
  },

  /** The lines of a log, without the first `after`. */
  async lines(log, after = 0) {
    const { result } = await transact(LINES, "readonly", (store) => store.index("log").getAll(checked(log)));
    return result.slice(after).map(({ line }) => line);
  },
};

function checked(name) {
  if (name.length > NAME_CHARACTERS_MAX || !NAME.test(name))
    throw new RangeError(`${name.slice(0, 80)} is no name in a vault`);
  return name;
}

/** Asks for something in a transaction of its own; what was asked, once all of it is kept. */
async function transact(storeName, mode, ask) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(storeName, mode, { durability: "strict" });
    const asked = ask(transaction.objectStore(storeName));
    transaction.oncomplete = () => resolve(asked);
    transaction.onabort = () => reject(asked?.error ?? transaction.error);
  });
}

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(VALUES);
      request.result.createObjectStore(LINES, { autoIncrement: true }).createIndex("log", "log");
    };
    request.onsuccess = () => {
      // Whoever clears the browser's data is not kept waiting; the next use opens it anew.
      request.result.onversionchange = () => close(request.result);
      request.result.onclose = () => close(request.result);
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opening.catch(() => {
    opening = null;
  });
  return opening;
}

function close(database) {
  database.close();
  opening = null;
}
