import * as z from 'zod'

/**
 * A tag such as `de-AT`, of what an export says besides what is stored. Absent, or a language that the page does not have: the account's,
 * else English.
 */
export const exportLanguage = z.string().max(35).optional()
