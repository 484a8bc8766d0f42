// What the load generators of the peers have in common with benchmarks/server_load.py: tables that all begin at once,
// how long each action took until everybody had its state, and one line of JSON in the end.

class Tally {
  constructor(actions) {
    this.actions = actions;
    this.taken = [];
    this.stateBytes = 0;
    this.states = 0;
    this.finished = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  /** An action that everybody has seen; false when there have been enough. */
  count(ms) {
    this.taken.push(ms);
    if (this.taken.length >= this.actions) this.finish();
    return this.taken.length < this.actions;
  }

  sawState(bytes) {
    this.stateBytes += bytes;
    this.states += 1;
  }
}

/** Lets every table play until there were enough actions, and prints the figures. */
async function measure(tables, tally) {
  console.log("ready");
  const began = performance.now();
  const busy = process.cpuUsage();
  for (const table of tables) table.act();
  await tally.finished;
  const elapsed = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(busy);
  console.log("done");
  const sorted = [...tally.taken].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const figures = { actions: sorted.length, seconds: elapsed, load_cpu_seconds: (user + system) / 1e6, errors: 0 };
  const stateBytes = tally.stateBytes / Math.max(1, tally.states);
  const result = { ...figures, state_bytes: stateBytes, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1) };
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
}

module.exports = { Tally, measure };
