import type { ApiFunctionName } from '#shared/routes.ts'

/*
 * Which function may do what with which partitions of the table. The stacks create the roles from it (permissions.ts), and the local
 * DynamoDB emulator refuses everything else: if a function needs a row that is missing here, its first local call fails.
 */

/** The partitions, by the prefix of their keys. A new kind of row gets a name here. */
const partitions = {
  /** all data of a user */
  user: 'U#*',
  /** counters of a user's calls, and of the views of links */
  budget: 'RATE#*',
  /** marks that revoke earlier access tokens */
  revocation: 'OUT#*',
  /** browsers that are told about their user's replies */
  pushSubscriptions: 'PUSH#*',
  /** the product's key at push services, sealed */
  pushKey: 'PUSH',
  /** snapshots of shared conversations, by a hash of their link's secret */
  share: 'SHARE#*',
  /** published projects: heads and versions */
  assistant: 'ASSIST#*',
  /** which assistants there are for whom; and how many conversations have begun with each */
  assistantList: 'LIST#*',
  assistantUses: 'USES#*',
  /** what users think of replies, and let administrators read */
  feedback: 'FEEDBACK#*',
  /** the site configuration; only the deployment writes it */
  site: 'CONF',
  /** the limits of the groups of users */
  groups: 'GROUPS',
  /** what administrators have set for the whole site */
  siteSettings: 'SETTINGS',
  /** the account whose second factor belongs to an e-mail address, and the attempts at it */
  mail: 'E#*',
  /** addresses that may sign up while sign-up is closed */
  invitation: 'INVITES',
  /** administrators' actions, by month; append-only */
  audit: 'AUDIT#*',
  /** which schedule is due when, by hour */
  due: 'DUE#*',
  /** the product's client registrations at authorization servers */
  registeredClient: 'CLIENT#*',
  /** all users' connections with a refresh token */
  refreshIndex: 'REFRESH',
  /** chunks of the catalogue */
  snapshot: 'REG#*',
  /** the record of the syncs */
  sync: 'SYNC',
} as const
type Partition = (typeof partitions)[keyof typeof partitions]

/** The actions for which DynamoDB passes a request's keys to IAM; no others are granted. */
type RowAction =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem'

/** One statement: each of its actions on each of its partitions. A batch must fit into one statement whole. */
export interface RowAccess {
  readonly actions: readonly RowAction[]
  readonly partitions: readonly Partition[]
}

export type FunctionName =
  | ApiFunctionName
  | 'customMessage'
  | 'documentParser'
  | 'documentReader'
  | 'documentEmbedder'
  | 'connectionRefresh'
  | 'notifier'
  | 'postConfirmation'
  | 'preSignUp'
  | 'preTokenGeneration'
  | 'registrySync'
  | 'scheduleDispatcher'
  | 'scheduleWorker'

const { user, budget, revocation, share, feedback, site, mail, invitation, groups, audit } = partitions
const { pushSubscriptions, pushKey } = partitions
const { assistant, assistantList, assistantUses, due } = partitions
const { registeredClient, refreshIndex, snapshot, sync, siteSettings } = partitions

/** Actions on a row by its key, and the same with queries of a partition. */
const byKey = ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'] as const
const byKeyAndQuery = [...byKey, 'Query'] as const

/** Verifying a token reads the client's id and the marks, and counts the call. */
const identifiesCallers: readonly RowAccess[] = [
  { actions: ['GetItem'], partitions: [site, revocation] },
  { actions: ['UpdateItem'], partitions: [budget] },
]

const readsGroups: RowAccess = { actions: ['GetItem'], partitions: [groups] }

const readsSiteSettings: RowAccess = { actions: ['GetItem'], partitions: [siteSettings] }

const readsCatalogue: RowAccess = { actions: ['GetItem'], partitions: [snapshot, sync] }

/** Entries of a version are immutable: written, read by key and deleted. */
const writesCatalogue: readonly RowAccess[] = [
  { actions: ['BatchWriteItem', 'GetItem', 'PutItem', 'UpdateItem'], partitions: [snapshot] },
  { actions: ['GetItem', 'UpdateItem'], partitions: [sync] },
]

/** A snapshot is deleted with its conversation, and with its owner. */
const removesShares: RowAccess = { actions: ['BatchWriteItem', 'Query'], partitions: [share] }

/** A project's assistant is withdrawn with the project, and with its publisher. */
const publishesAssistants: readonly RowAccess[] = [
  {
    actions: [...byKeyAndQuery, 'BatchWriteItem'],
    partitions: [assistant, assistantList, assistantUses],
  },
]

/** A refresh of tokens writes its time into the index, and marks a client that its server has forgotten. */
const refreshesTokens: readonly RowAccess[] = [
  { actions: ['PutItem'], partitions: [refreshIndex] },
  { actions: ['UpdateItem'], partitions: [registeredClient] },
]
/** What revokes tokens also ends what the user's browsers are told. */
const revokesTokens: readonly RowAccess[] = [
  { actions: ['PutItem'], partitions: [revocation] },
  { actions: ['DeleteItem'], partitions: [pushSubscriptions] },
]

/** The index of what is due: entries are put, and removed with the schedule. */
const schedulesRuns: RowAccess = { actions: ['DeleteItem', 'PutItem'], partitions: [due] }

/** The code never replaces an entry, because every write requires that it is absent. */
const appendsToAudit: RowAccess = { actions: ['PutItem'], partitions: [audit] }

const managesConnections: readonly RowAccess[] = [
  ...identifiesCallers,
  { actions: byKeyAndQuery, partitions: [user] },
  { actions: ['GetItem', 'PutItem', 'Query'], partitions: [registeredClient] },
  ...refreshesTokens,
  { actions: ['DeleteItem'], partitions: [refreshIndex] },
  readsGroups,
  readsCatalogue,
]

/** Replies, whoever asks for them. */
const replies: readonly RowAccess[] = [
  ...identifiesCallers,
  { actions: [...byKeyAndQuery, 'BatchWriteItem'], partitions: [user] },
  // reads at the same moment are sent as one request, including the mark of ended sign-ins and the day's counter
  // (who is to be told that a reply has ended, too)
  {
    actions: ['BatchGetItem', 'GetItem'],
    partitions: [user, budget, revocation, assistant, pushSubscriptions],
  },
  { actions: ['Query'], partitions: [assistant] },
  { actions: ['UpdateItem'], partitions: [assistantUses] },
  ...refreshesTokens,
  // the days of a month, for users with a monthly limit
  { actions: ['Query'], partitions: [budget] },
  readsGroups,
  readsSiteSettings,
  readsCatalogue,
]

export const tableAccess: Readonly<Record<FunctionName, readonly RowAccess[]>> = {
  // a reply may change schedules, but starts no runs
  chat: [...replies, schedulesRuns],
  scheduleWorker: replies,
  // never writes what people store
  notifier: [
    { actions: ['GetItem'], partitions: [site, pushKey, user] },
    { actions: ['Query'], partitions: [user] },
    { actions: ['GetItem', 'PutItem'], partitions: [pushSubscriptions] },
  ],
  sessions: [
    ...identifiesCallers,
    { actions: [...byKeyAndQuery, 'BatchGetItem', 'BatchWriteItem'], partitions: [user] },
    removesShares,
    // what is deleted of a conversation goes from its links
    { actions: ['PutItem'], partitions: [share] },
    { actions: ['BatchWriteItem', 'DeleteItem', 'PutItem', 'Query'], partitions: [feedback] },
    readsGroups,
    ...publishesAssistants,
    appendsToAudit,
  ],
  shared: [...identifiesCallers, { actions: ['Query'], partitions: [share] }, readsSiteSettings],
  files: [...identifiesCallers, { actions: byKeyAndQuery, partitions: [user] }, readsGroups],
  documents: [...identifiesCallers, { actions: ['GetItem'], partitions: [user] }],
  documentReader: [{ actions: ['GetItem', 'UpdateItem'], partitions: [user] }],
  // the tokens of vectors count in the budgets of the day
  documentEmbedder: [
    { actions: ['GetItem', 'UpdateItem'], partitions: [user] },
    // the days of a month, for users with a monthly limit
    { actions: ['Query', 'UpdateItem'], partitions: [budget] },
    readsGroups,
    readsSiteSettings,
  ],
  // reads untrusted bytes: no row at all
  documentParser: [],
  // an erasure removes the counters, and the address that leads to the factor
  account: [
    ...identifiesCallers,
    { actions: [...byKeyAndQuery, 'BatchGetItem', 'BatchWriteItem'], partitions: [user] },
    removesShares,
    { actions: ['BatchWriteItem', 'Query'], partitions: [budget, feedback] },
    ...revokesTokens,
    { actions: ['GetItem', 'PutItem'], partitions: [pushSubscriptions, pushKey] },
    { actions: ['DeleteItem', 'GetItem'], partitions: [mail] },
    { actions: ['DeleteItem'], partitions: [refreshIndex] },
    // an administrator lets schedules go on
    schedulesRuns,
    readsGroups,
    ...publishesAssistants,
    readsSiteSettings,
    appendsToAudit,
  ],
  // switching a factor on ends the other sessions
  mfa: [...identifiesCallers, { actions: byKey, partitions: [user, mail] }, ...revokesTokens, appendsToAudit],
  // no user data: administrators see how much somebody used, and never for what, and what is meant for them
  admin: [
    ...identifiesCallers,
    ...revokesTokens,
    { actions: ['PutItem'], partitions: [groups] },
    { actions: ['GetItem'], partitions: [groups] },
    { actions: ['Query'], partitions: [budget, audit, feedback] },
    { actions: byKeyAndQuery, partitions: [invitation] },
    // what an account that is disabled, or leaves a group, has published
    { actions: ['UpdateItem'], partitions: [assistant] },
    { actions: ['Query'], partitions: [assistantList] },
    { actions: ['GetItem', 'UpdateItem'], partitions: [siteSettings] },
    appendsToAudit,
  ],
  health: [],
  integrations: managesConnections,
  oauth: managesConnections,
  tools: [
    ...identifiesCallers,
    { actions: [...byKeyAndQuery, 'BatchWriteItem'], partitions: [user] },
    ...refreshesTokens,
    readsCatalogue,
    readsGroups,
    // a schedule may belong to an assistant
    { actions: ['GetItem'], partitions: [assistant] },
    schedulesRuns,
    readsSiteSettings,
  ],
  registry: [...identifiesCallers, readsCatalogue],
  manualSync: [...identifiesCallers, ...writesCatalogue],
  registrySync: writesCatalogue,
  connectionRefresh: [
    ...refreshesTokens,
    { actions: ['DeleteItem', 'Query'], partitions: [refreshIndex] },
    { actions: ['GetItem', 'Query', 'UpdateItem'], partitions: [user] },
    readsCatalogue,
  ],
  // hands over what is due: of a user's rows it reads and claims the schedule
  scheduleDispatcher: [
    { actions: ['DeleteItem', 'GetItem', 'PutItem', 'Query'], partitions: [due] },
    { actions: ['GetItem', 'UpdateItem'], partitions: [user] },
    readsSiteSettings,
  ],
  customMessage: [{ actions: ['GetItem'], partitions: [site] }],
  // the secret of a mailed invitation works once
  preSignUp: [{ actions: ['GetItem', 'UpdateItem'], partitions: [invitation] }, readsSiteSettings],
  // the hour in which a user was last active
  preTokenGeneration: [readsGroups, { actions: ['UpdateItem'], partitions: [budget] }],
  postConfirmation: [
    { actions: ['GetItem'], partitions: [revocation] },
    ...revokesTokens,
    { actions: ['DeleteItem', 'GetItem'], partitions: [invitation] },
    readsSiteSettings,
  ],
}

/** The permissions of the web stack's deployment: the site configuration, and no other row. */
export const deploymentAccess: RowAccess = { actions: ['PutItem'], partitions: [site] }
