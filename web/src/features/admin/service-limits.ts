/*
 * What the service takes, as the contracts of `#shared/contracts` have it. Their modules bring the validator, which the page does not need,
 * so the numbers stand here again; a test compares them.
 */

export const maxInvitedAtOnce = 500
/** Groups that one person of a list can have besides those of everybody in it. */
export const maxOwnGroups = 20
/** The longest text of a list that is judged, as an address or as a group. With a longer one the whole list is refused. */
export const maxListedCharacters = 1_000
/** The longest e-mail address that can be invited. */
export const maxEmailCharacters = 128
/** The longest beginning of an e-mail address that users are searched by. */
export const maxSearchCharacters = 254
export const maxGroupDescriptionCharacters = 500
/** The longest name of a group (`groupNamePattern`). */
export const maxGroupNameCharacters = 64
export const maxNoticeCharacters = 200
export const maxHouseInstructionCharacters = 4_000
/** The largest limit of tokens, images or uploads. */
export const maxAmount = 1e12
/** The largest limit of costs, in USD. */
export const maxCostUsd = 1e9
/** The largest limit of stored files, in GB. */
export const maxStorageGb = 1e6
