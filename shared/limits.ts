/** Constants that the browser and the functions must agree on. Sizes in bytes or characters as named. */

/** What one message may hold; longer texts are better sent as a file. */
export const maxMessageCharacters = 100_000
/** A reply that grows beyond this ends as incomplete: it has to fit into one row. */
export const maxReplyCharacters = 100_000
/** How much of a model's reasoning is shown and stored, and how many pages a reply can cite; the rest is left out. */
export const maxReasoningCharacters = 20_000
export const maxSources = 50
/** How long an imported reply may have reasoned: a day. */
export const maxReasoningMs = 86_400_000
/** The hint for the assistant that a caller may add to the product's own instructions. */
export const maxSystemPromptCharacters = 4_000
/** Maximum length of a user's custom instructions. */
export const maxInstructionCharacters = 4_000
/** How many memories a user may have, and the length of each. */
export const maxMemories = 100
export const maxMemoryCharacters = 500
/** What one project may contain. */
export const maxProjectFiles = 50
/** of the text that goes with a rating */
export const maxFeedbackCharacters = 1_000
export const maxProjectNameCharacters = 80
export const maxProjectInstructionCharacters = 8_000
export const maxPromptCharacters = 4_000
/** What an assistant shows of itself. */
export const maxAssistantDescriptionCharacters = 300
export const maxAssistantNewsCharacters = 200
export const maxAssistantPictureBytes = 64_000
/** The sides of its picture, in pixels. */
export const minAssistantPicturePx = 32
export const maxAssistantPicturePx = 512
export const maxStarters = 4
export const maxStarterCharacters = 500
/** Of one user, unless a group allows fewer; what a run is asked, and the tools that it may use without asking. */
export const maxSchedules = 25
export const maxSchedulePromptCharacters = 8_000
export const maxScheduleWrites = 50
/** What one run of a schedule may use of the day's tokens: one that goes wrong uses up nobody's day. */
export const maxRunTokens = 50_000
/** Messages of one request without a saved conversation. */
export const maxMessagesPerRequest = 500
/** Maximum length of a title that a user enters; generated ones are shorter. */
export const maxTitleCharacters = 200
export const maxDisplayNameCharacters = 80
export const maxAvatarBytes = 60_000

/** The server writes a comment into a quiet stream this often; the browser takes 25 s of silence as a dead connection. */
export const streamHeartbeatMs = 10_000
export const streamSilenceMs = 25_000
/** After Stop the page waits this long for the end of the reply, then shows it as stopped and accepts the next message. */
export const stopPatienceMs = 10_000

/** unless a deployment asks for more */
export const minPasswordCharacters = 6
export const backupCodeCharacters = 10

const MB = 1024 * 1024
/** Documents, images and everything else; video and audio. Also the store's own limit. */
export const maxFileBytes = 20 * MB
export const maxMediaBytes = 200 * MB
export const maxFilesPerMessage = 10
/** Longer names are rejected; accepted ones are cut before they are shown. */
export const maxFileNameCharacters = 1_000
/** An image that a model gets: the original, or the page's smaller copy. */
export const maxPreviewBytes = 4 * MB
export const maxAnalysisCharacters = 8_000
/** Characters of documents that a request of a temporary chat carries, newest files first. */
export const maxDocumentCharacters = 80_000
export const truncationMarker = '[Content truncated due to length]'

/** What is said at once; the page stops recording then. */
export const maxRecordingSeconds = 600

/** For how many days a link to a shared conversation may work. */
export const shareDays = [7, 30, 365] as const
/** Rows of each table below a reply that a link shows. */
export const maxSharedRows = 50
/** Imports of conversations: messages of one request, turns of a conversation, versions that keep room for the user's own. */
export const maxImportedMessagesPerRequest = 1_000
export const maxImportedTurns = 200_000
export const maxImportedForks = 250
/** of one reply */
export const maxImportedCalls = 200
/** Of a message's content, reasoning and sources together: they are one row of the table, where a character takes up to three bytes. */
export const maxImportedMessageCharacters = 125_000

/** Of a statement of query_table. */
export const maxSqlCharacters = 20_000
/** Rows of a query's result that are downloaded. */
export const maxCsvRows = 100_000

/** Custom servers per user. */
export const maxCustomServers = 20
/** Connections and tools that a conversation may not use: they are part of its rows. */
export const maxDisabledTools = 100
/** The page size of the registry's service if the request names none. */
export const registryServicePageSize = 50
/** After this time without a sync the registry's entries are old; the deployment's alarm says so too. */
export const registryHealthyMs = 2 * 86_400_000

/** An approval request that is open for this long lapses: the call is not made then. */
export const approvalLapsesAfterMs = 24 * 3_600_000
/** An elicitation in a saved conversation waits longer: its call has begun. In a temporary chat it lapses with the run. */
const elicitationLapsesAfterMs = 30 * 24 * 3_600_000
/** A task of a server is given up after this time, if the server does not end it before. */
export const taskLapsesAfterMs = 30 * 24 * 3_600_000

/** What waits in the run of a schedule lapses after this time, whatever it is: nobody was there when it was asked for. */
export const scheduledLapsesAfterMs = 72 * 3_600_000

/** After which time an approval request lapses. */
export const lapsesAfterMs = (kind: 'approval' | 'reconnect' | 'elicitation' | 'task') =>
  kind === 'elicitation'
    ? elicitationLapsesAfterMs
    : kind === 'task'
      ? taskLapsesAfterMs
      : approvalLapsesAfterMs

/** Browsers of a user that are told about replies. */
export const maxPushSubscriptions = 10
/** A page that was not heard of for this long is not open. */
export const pageOpenMs = 35_000

/** After which a reply ends unless the operator sets another time. */
export const defaultReplySeconds = 300
