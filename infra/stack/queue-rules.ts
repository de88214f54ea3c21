// Rules of the queues, for the stack and the local queues.

/** After this many receives, a message becomes a dead letter. With a worker timeout of 60 s, this takes about an hour. */
export const receiveCountMax = 10;

/**
 * The visibility timeout of a queue, in timeouts of its worker, as AWS recommends. While Lambda throttles, its poller
 * keeps a batch and retries. With a shorter timeout the message would become visible again, and each receive counts
 * towards the maximum. A job whose worker dies does not wait this long: its lease ends 15 s after the timeout, and the
 * sweeper sends it again.
 */
export const timeoutsHidden = 6;
