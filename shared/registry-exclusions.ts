/** Why an entry of a source is not in the catalogue. */
export const exclusionReasons = [
  /** its name is a built-in integration's, or looks like it */
  'imitation',
  /** it runs on the user's own computer, or says no address at all */
  'no_remote_server',
  /** the outbound guard would call none of its addresses */
  'forbidden_address',
  /** its name is none that the registry gives */
  'invalid_name',
] as const
export type ExclusionReason = (typeof exclusionReasons)[number]

export const noneExcluded: Readonly<Record<ExclusionReason, number>> = {
  imitation: 0,
  no_remote_server: 0,
  forbidden_address: 0,
  invalid_name: 0,
}
