// Drives any number of real SignalR clients: a request a line comes in, answers and whatever the clients hear go out,
// a line each. The package is found by NODE_PATH.
"use strict";

const readline = require("node:readline");
const signalr = require("@microsoft/signalr");

const clients = new Map();

function tell(what) {
  process.stdout.write(JSON.stringify(what) + "\n");
}

function connect({ who, url, transport, skipNegotiation, serverTimeout, keepAlive, reconnect }) {
  const options = { skipNegotiation };
  if (transport) options.transport = signalr.HttpTransportType[transport];
  const builder = new signalr.HubConnectionBuilder().withUrl(url, options).configureLogging(signalr.LogLevel.None);
  if (reconnect) builder.withAutomaticReconnect([0]);
  const client = builder.build();
  if (serverTimeout) client.serverTimeoutInMilliseconds = serverTimeout;
  if (keepAlive) client.keepAliveIntervalInMilliseconds = keepAlive;
  for (const method of ["OnStateChanged", "OnError"]) {
    client.on(method, (...values) => tell({ who, heard: [method, ...values] }));
  }
  client.onclose((error) => tell({ who, closed: error ? error.message : "" }));
  client.onreconnected((id) => tell({ who, reconnected: id }));
  clients.set(who, client);
  return client.start();
}

const operations = {
  connect,
  invoke: ({ who, target, values }) => clients.get(who).invoke(target, ...values),
  send: ({ who, target, values }) => clients.get(who).send(target, ...values),
  stream: ({ who, target }) =>
    new Promise((resolve, reject) => clients.get(who).stream(target).subscribe({ complete: resolve, error: reject })),
  stop: ({ who }) => clients.get(who).stop(),
  id: ({ who }) => Promise.resolve(clients.get(who).connectionId),
  transport: ({ who }) => Promise.resolve(clients.get(who).connection.transport.constructor.name),
  state: ({ who }) => Promise.resolve(clients.get(who).state),
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  operations[request.operation](request).then(
    (result) => tell({ request: request.number, result: result ?? null }),
    (error) => tell({ request: request.number, error: error.message }),
  );
});
