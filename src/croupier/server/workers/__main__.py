"""Started by the front; see `worker`."""

from croupier.server.workers.worker import main

main()
