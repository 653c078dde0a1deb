/*
 * Limits of AWS in bytes, and the sizes that the product derives from them. Two more limits need no number here: a request's body has to
 * fit into the event of a function, 6 MB, and every route's limit but that of recordings is lower (shared/routes.ts, limits.test.ts); a
 * streamed response may have 200 MB, which no reply reaches, and exports are links (ADR 0039).
 */

const KB = 1024
const MB = 1024 * KB

/**
 * One item of the table, its attributes' names included.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const maxItemBytes = 400 * KB
/** Size of one chunk of a longer value; the row also has its key and other attributes. */
export const chunkBytes = maxItemBytes - 20 * KB

/**
 * Size of one page of messages in the response of a function that does not stream, which has at most 6 MB; the rest is for the envelope
 * and for escaping.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const pageBytes = 4 * MB
/**
 * Size of a value in a buffered response: the runtime encodes the body, which is JSON, as a JSON string again. So a quotation mark in a
 * text takes four bytes.
 */
export const responseBytes = (value: unknown) =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value) ?? ''))

/** Size of one page of a shared conversation; messages are never split, so a page of one may be larger. */
export const sharePageBytes = MB

/** Calls per user and minute, by the route's limit class; the environment's RATE_LIMIT_FACTOR multiplies them. */
export const callsPerMinute = { chat: 60, write: 300, read: 600 } as const
/**
 * Per user: replies that are written at once, tokens that models read and write in a day (UTC), and images in a day. The
 * same factor, unless REPLIES_AT_ONCE, TOKENS_PER_DAY or IMAGES_PER_DAY says exactly how many.
 */
export const repliesAtOnce = 5
export const tokensPerDay = 5_000_000
export const imagesPerDay = 50
/** Of sound that a user may dictate in a day, by its frames; the same factor. A server may name no usage, and a price by the minute. */
export const dictationHoursPerDay = 4
/** Replies that a user may follow at the same time, in all tabs; the same factor. */
export const eventStreamsAtOnce = 4
/** Searches of the web by a model's server in one reply; each has a price of its own. */
export const maxWebSearches = 20
/** Further tool calls in one response of a model are not made. */
export const maxCallsPerRound = 16
/** Backup codes tried without a sign-in, by everybody together; the same factor. */
export const anonymousCodesPerMinute = 60
export const backupCodeCount = 10

/** How many images a model gets in a turn. */
export const maxImagesForModel = 5
/** How many projects and saved prompts a user may have. */
export const maxProjects = 200
export const maxPrompts = 200
/** How many assistants a user may publish, groups that one may be for, and assistants that one group, or everyone, may have. */
export const maxAssistants = 20
export const maxAudienceGroups = 20
export const maxListedAssistants = 200
/** Versions of assistants that a user may publish in a day: each is an entry in the audit log; the same factor as for uploads. */
export const publishesPerDay = 100

/** Uploads per user and day, and exports of all of a user's data; the same factor. */
export const uploadsPerDay = 500
export const exportsPerDay = 5
/** What a user's files, and texts that were imported, copied or shared, may take up together, unless STORAGE_GB_PER_USER says otherwise. */
export const storageGbPerUser = 5
export const maxExtractedCharacters = 2_000
/** Results of queries that a user may have written to files in a day, each of 50 MB at most and outside their quota; the same factor. */
export const queryFilesPerDay = 100
/**
 * Calls of apps per user and day, the same factor: the user's list of calls keeps the arguments of each for a year, and an app that is open
 * may call all day.
 */
export const appCallsPerDay = 5_000
/** Requests of imports per user and day; the same factor. */
export const importRequestsPerDay = 1_500
/**
 * Messages that are copied to continue a conversation in a new chat or to share it, and how large they may be together: a function that is
 * ended in the middle leaves what it has copied. And how often a user may do that in a day (the same factor).
 */
export const maxCopiedMessages = 4_000
export const maxCopiedMegabytes = 20
export const copiesPerDay = 100
/**
 * Links to shared conversations that a user may have at once, and make in a day (UTC; the same factor for the latter), and how often a
 * minute one link, and all links of one user together, are opened by everybody (the same factor).
 */
export const maxShares = 50
export const sharesPerDay = 100
export const shareViewsPerMinute = 300
export const ownerViewsPerMinute = 600

/** How many servers of a user are requested concurrently. */
export const serversAskedAtOnce = 8
/** Keys of connections and custom servers that are stored as a secret each: the operator pays for every one, each month. */
export const maxStoredSecrets = 100
/** Syncs per user and hour, for each of the four buttons; the same factor. */
export const syncsPerHour = 10
