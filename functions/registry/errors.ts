/** The code host did not give a usable listing; the message is recorded and shown to those who look at the sync (REG-38). */
export class GitHubFailed extends Error {
  override readonly name = 'GitHubFailed'
}

/** A sync that did not succeed. It is recorded already; thrown so that the schedule repeats it. */
export class SyncFailed extends Error {
  override readonly name = 'SyncFailed'
}
