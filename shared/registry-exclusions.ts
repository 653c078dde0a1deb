/** Reasons why entries of a source are not in the catalogue. */
export const exclusionReasons = [
  /** its name is a built-in integration's, or looks like it */
  'imitation',
  /** it runs on the user's own computer, or has no address */
  'no_remote_server',
  /** the outbound guard allows none of its addresses */
  'forbidden_address',
  /** its name does not have the registry's format */
  'invalid_name',
] as const
export type ExclusionReason = (typeof exclusionReasons)[number]

export const noneExcluded: Readonly<Record<ExclusionReason, number>> = {
  imitation: 0,
  no_remote_server: 0,
  forbidden_address: 0,
  invalid_name: 0,
}
