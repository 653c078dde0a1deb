/** Constants that the browser and the functions must agree on. Sizes in bytes or characters as named. */

/** Calls per user and minute, by the route's limit class; the environment's RATE_LIMIT_FACTOR multiplies them. */
export const callsPerMinute = { chat: 60, write: 300, read: 600 } as const
/**
 * Per user: replies that are written at once, tokens that models read and write in a day (UTC), and images in a day. The
 * same factor, unless REPLIES_AT_ONCE, TOKENS_PER_DAY or IMAGES_PER_DAY says exactly how many.
 */
export const repliesAtOnce = 5
export const tokensPerDay = 5_000_000
export const imagesPerDay = 50
/** Replies that a user may follow at the same time, in all tabs; the same factor. */
export const eventStreamsAtOnce = 4
/** Further tool calls in one response of a model are not made. */
export const maxCallsPerRound = 16
/** Backup codes tried without a sign-in, by everybody together; the same factor. */
export const anonymousCodesPerMinute = 60

/** What one message may hold; longer texts are better sent as a file. */
export const maxMessageCharacters = 100_000
/** A reply that grows beyond this ends as incomplete: it has to fit into one row. */
export const maxReplyCharacters = 100_000
/** How much of a model's reasoning is shown and stored; the rest is left out. */
export const maxReasoningCharacters = 20_000
/** Pages that a reply can cite. */
export const maxSources = 50
/** The hint for the assistant that a caller may add to the product's own instructions. */
export const maxSystemPromptCharacters = 4_000
/** Maximum length of a user's custom instructions. */
export const maxInstructionCharacters = 4_000
/** How many memories a user may have, and the length of each. */
export const maxMemories = 100
export const maxMemoryCharacters = 500
/** How many projects a user may have, and what one may contain. */
export const maxProjects = 200
export const maxProjectFiles = 50
export const maxProjectNameCharacters = 80
export const maxProjectInstructionCharacters = 8_000
/** How many saved prompts a user may have, and the length of each. */
export const maxPrompts = 200
export const maxPromptCharacters = 4_000
/** Messages of one request without a saved conversation. */
export const maxMessagesPerRequest = 500

/** Calls that do not stream give up after this time. */
export const defaultTimeoutMs = 10_000
/** The server writes a comment into a quiet stream this often; the browser takes 25 s of silence as a dead connection. */
export const streamHeartbeatMs = 10_000
export const streamSilenceMs = 25_000
/** Replies that took longer cause a notification, if notifications are on. */
export const longReplyMs = 8_000
/** Delays before the browser reconnects to a reply, the last one repeated. */
export const reconnectDelaysMs = [1_000, 2_000, 5_000, 10_000] as const

/** After Stop the page waits this long for the end of the reply, then shows it as stopped and accepts the next message. */
export const stopPatienceMs = 10_000

/** How long the chat shows an error. */
export const errorBlockMs = 5_000
export const authRedirectMs = 3_000
export const composerMinPx = 52
export const composerMaxPx = 120
/** unless a deployment asks for more */
export const minPasswordCharacters = 6

/** Highest setting of how long a model may be silent. */
export const maxModelSilenceSeconds = 600

/** The field of config.json for the password length; absent for the default. */
export const toPasswordLengthField = (configured: { minPasswordCharacters: number }) =>
  configured.minPasswordCharacters === minPasswordCharacters
    ? {}
    : { minPasswordCharacters: configured.minPasswordCharacters }

const MB = 1024 * 1024
/** Documents, images and everything else; video and audio. Also the store's own limit. */
export const maxFileBytes = 20 * MB
export const maxMediaBytes = 200 * MB
export const maxFilesPerMessage = 10
/** Longer names are rejected; accepted ones are cut before they are shown. */
export const maxFileNameCharacters = 1_000
/** Images that a model gets: how many per turn, and the size of each (the original, or the page's smaller copy). */
export const maxImagesForModel = 5
export const maxPreviewBytes = 4 * MB
export const maxPreviewPx = 2_048
/** Uploads per user and day, and exports of all of a user's data; RATE_LIMIT_FACTOR multiplies them. */
export const uploadsPerDay = 500
export const exportsPerDay = 5
/** Documents read per user and day, each for up to 27 s of a function; the same factor. */
export const analysesPerDay = 1_000
/**
 * Links to shared conversations that a user may have at once, and make in a day (UTC; RATE_LIMIT_FACTOR multiplies the latter); for how many
 * days one may work; and how often a minute one link is opened by everybody together (the same factor).
 */
export const maxShares = 50
export const sharesPerDay = 100
export const shareDays = [7, 30, 365] as const
export const shareViewsPerMinute = 300
/**
 * Imports of conversations: messages of one request, turns of a conversation, versions that keep room for the user's own, and requests per
 * user and day (RATE_LIMIT_FACTOR multiplies these). The page sends about `importRequestBytes` at once.
 */
export const maxImportedMessagesPerRequest = 1_000
export const maxImportedTurns = 200_000
export const maxImportedForks = 250
export const importRequestsPerDay = 1_500
export const importRequestBytes = MB
/** Messages that are copied to continue a conversation in a new chat, and how often a user may do that in a day (as above). */
export const maxCopiedMessages = 4_000
export const copiesPerDay = 100
/** What a user's files may take up together, unless STORAGE_GB_PER_USER says otherwise. */
export const storageGbPerUser = 5
export const maxAnalysisCharacters = 8_000
/** Characters of documents that are sent with one message, newest files first. */
export const maxDocumentCharacters = 80_000
export const truncationMarker = '[Content truncated due to length]'
export const maxExtractedCharacters = 2_000
/** Custom servers per user, and how many servers of a user are requested concurrently. */
export const maxCustomServers = 20
export const serversAskedAtOnce = 8
/** Keys of connections and custom servers that are stored as a secret each: the operator pays for every one, each month. */
export const maxStoredSecrets = 100
/** Maximum length of a title that a user enters; generated ones are shorter. */
export const maxTitleCharacters = 200
/** Syncs per user and hour, for each of the four buttons; multiplied by RATE_LIMIT_FACTOR. */
export const syncsPerHour = 10
/** The page size of the service if the request names none, and the one that the page requests. */
export const registryServicePageSize = 50
export const registryPageSize = 20
export const registryRefreshMs = 86_400_000
export const registryHealthyMs = 2 * 86_400_000

export const maxDisplayNameCharacters = 80
/** The browser scales a picture to this square and makes it fit. */
export const avatarPx = 512
export const maxAvatarBytes = 60_000

export const backupCodeCharacters = 10
export const backupCodeCount = 10
export const copiedIndicatorMs = 2_000

/** An approval request that is open for this long lapses: the call is not made then. */
export const approvalLapsesAfterMs = 24 * 3_600_000
/** An elicitation in a saved conversation waits longer: its call has begun. In a temporary chat it lapses with the run. */
export const elicitationLapsesAfterMs = 30 * 24 * 3_600_000

/** A task of a server is given up after this time, if the server does not end it before. */
export const taskLapsesAfterMs = 30 * 24 * 3_600_000

/** After which time an approval request lapses. */
export const lapsesAfterMs = (kind: 'approval' | 'reconnect' | 'elicitation' | 'task') =>
  kind === 'elicitation'
    ? elicitationLapsesAfterMs
    : kind === 'task'
      ? taskLapsesAfterMs
      : approvalLapsesAfterMs

/** Connections and tools that a conversation may not use: they are part of its rows. */
export const maxDisabledTools = 100
