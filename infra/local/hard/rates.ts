// How often the hard engines disturb. With these shares a client notices only delays. The SDK makes five attempts at
// a request to DynamoDB, and the chance that all are disturbed is below 1 in 10^8. Of the messages to SQS one in fifty is
// not sent: the sweeper sends it. A client of the live part reads again what it has missed.

export interface Rates {
  /**
   * Share of the requests that are throttled, transactions excepted. Low, because the SDK then waits up to a second
   * before it tries again.
   */
  throttled: number;
  /** Share of the transactions that are cancelled because one of their items is throttled. */
  cancelled: number;
  /** Share of the requests that fail with status 500, half of them after they were carried out. */
  failed: number;
  /** Share of the requests that are carried out and whose reply is lost: the connection ends. */
  lost: number;
  /** Share of the batches of which a part, at least one item and not all, is left unprocessed. */
  partial: number;
  /** Share of the queries and scans that end after a few items. */
  cut: number;
  /** Share of the transactions that stay open after their arrival, so that other requests meet them. */
  held: number;
  /** The longest time that a transaction is held, ms. */
  heldMsMax: number;
}

export const rates: Rates = {
  throttled: 0.002,
  cancelled: 0.02,
  failed: 0.01,
  lost: 0.01,
  partial: 0.1,
  cut: 0.1,
  held: 0.2,
  heldMsMax: 10,
};

export interface QueueRates {
  /** Share of the requests that send messages and fail with status 500, half of them after the messages were sent. */
  failed: number;
  /** Share of the entries of a batch that fail while the others succeed. */
  entryFailed: number;
  /** Share of the requests that send messages and never get a reply, half of them after the messages were sent. */
  hung: number;
  /** Share of the messages that are delivered twice. */
  duplicated: number;
  /** Share of the messages that arrive late, so that later ones overtake them. */
  late: number;
  /** The longest delay of a late message, ms. */
  lateMsMax: number;
}

export const queueRates: QueueRates = {
  failed: 0.02,
  entryFailed: 0.02,
  hung: 0.005,
  duplicated: 0.05,
  late: 0.1,
  lateMsMax: 300,
};

export interface LiveRates {
  /** Share of the publications over HTTP that fail with status 500, half of them after they were carried out. */
  failed: number;
  /** Share of the deliveries at which the connection ends. */
  ended: number;
  /** Share of the deliveries that never arrive. */
  lost: number;
  /** Share of the deliveries that arrive twice. */
  doubled: number;
  /** Share of the deliveries that arrive late, so that later ones overtake them. */
  late: number;
  /** The longest delay of a late delivery, ms. */
  lateMsMax: number;
}

export const liveRates: LiveRates = {
  failed: 0.02,
  ended: 0.005,
  lost: 0.02,
  doubled: 0.02,
  late: 0.1,
  lateMsMax: 300,
};
