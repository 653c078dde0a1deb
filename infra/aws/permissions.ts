import { ArnFormat, Stack } from 'aws-cdk-lib'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { IUserPool } from 'aws-cdk-lib/aws-cognito'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { Policy, PolicyStatement, type IRole } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { acknowledgeWildcard } from './acknowledge.ts'
import type { ApiFunction } from './api-function.ts'
import type { Config } from './config.ts'
import type { SecretReference } from './secret-reference.ts'
import { tableAccess, type FunctionName, type RowAccess } from './table-access.ts'

// One grant per function, with exactly the actions that its code calls. table-access.ts lists the rows of each function.

interface UserData {
  table: Table
  uploads: Bucket
}

/** Key patterns of finished files, one folder per user, and of uploads before they are checked. */
const finishedFiles = 'users/*'
const incomingUploads = 'incoming/*'
/** Key pattern of what assistants are made of: copies of texts, in a folder per publisher. */
const publishedTexts = 'published/*'
/** Key pattern of export archives, which expire after a day. */
const exportArchives = 'exports/*'
/** Key pattern of the results of queries among them. */
const queryResults = 'exports/*/csv'

/**
 * Reads conversations, writes turns, runs and their logs, reads the model's key and the files of messages, stores generated images,
 * deletes temporary files, and uses integrations: reads their secrets and refreshes their tokens.
 */
export function grantReplies(
  fn: ApiFunction,
  role: 'chat' | 'scheduleWorker',
  {
    table,
    uploads,
    reader,
    parser,
    notifier,
    modelKey,
    vaultPrefix,
    sealingKey,
  }: UserData &
    VaultAccess & {
      reader: ApiFunction
      parser: ApiFunction
      notifier: ApiFunction
      modelKey: SecretReference | undefined
    },
) {
  grantRows(fn, table, role)
  // documents are read, and their tables queried
  allow(fn, 'lambda', ['InvokeFunction'], reader.functionArn)
  allow(fn, 'lambda', ['InvokeFunction'], parser.functionArn)
  // which tells the user that a reply has ended
  allow(fn, 'lambda', ['InvokeFunction'], notifier.functionArn)
  grantVault(fn, { vaultPrefix, sealingKey }, ['GetSecretValue'])
  grantObjects(fn, finishedFiles, { actions: ['DeleteObject', 'GetObject', 'PutObject'], uploads })
  grantObjects(fn, publishedTexts, { actions: ['GetObject'], uploads })
  // the rows of statements for the files that replies make
  grantObjects(fn, queryResults, { actions: ['GetObject', 'PutObject'], uploads })
  if (modelKey) grantSecretRead(fn, modelKey)
}

/**
 * Lists, reads, renames, exports and deletes conversations with their files, and files alone; publishes projects: has their documents read, copies their texts,
 * and names who publishes; copies published texts into a user's own files.
 */
export function grantSessions(
  fn: ApiFunction,
  { table, uploads, reader, userPool }: UserData & { reader: ApiFunction; userPool: IUserPool },
) {
  grantRows(fn, table, 'sessions')
  allow(fn, 'lambda', ['InvokeFunction'], reader.functionArn)
  grantObjects(fn, incomingUploads, { actions: ['DeleteObject'], uploads })
  grantObjects(fn, finishedFiles, { actions: ['DeleteObject', 'GetObject', 'PutObject'], uploads })
  grantObjects(fn, publishedTexts, { actions: ['DeleteObject', 'GetObject', 'PutObject'], uploads })
  allow(fn, 'cognito-idp', ['AdminGetUser'], userPool.userPoolArn)
}

/** Accepts uploads, checks them and moves them to their user, has documents read, signs links, deletes what has expired. */
export function grantFiles(fn: ApiFunction, { table, uploads, reader }: UserData & { reader: ApiFunction }) {
  grantRows(fn, table, 'files')
  allow(fn, 'lambda', ['InvokeFunction'], reader.functionArn)
  const actions = ['DeleteObject', 'GetObject', 'PutObject']
  for (const keys of [incomingUploads, finishedFiles]) grantObjects(fn, keys, { actions, uploads })
}

/** Tells what was read of a document, has it read if nobody did, and signs for the parser what a query reads and its CSV. */
export function grantDocuments(
  fn: ApiFunction,
  { table, uploads, reader, parser }: UserData & { reader: ApiFunction; parser: ApiFunction },
) {
  grantRows(fn, table, 'documents')
  for (const keys of ['users/*/text', 'users/*/tables-1'])
    grantObjects(fn, keys, { actions: ['GetObject'], uploads })
  grantObjects(fn, queryResults, { actions: ['GetObject', 'PutObject'], uploads })
  for (const invoked of [reader, parser]) allow(fn, 'lambda', ['InvokeFunction'], invoked.functionArn)
}

/** Signs the addresses of a document, its text and its index for the parser, which has no rights of its own, and invokes it. */
export function grantReader(
  fn: ApiFunction,
  { table, uploads, parser, embedder }: UserData & { parser: ApiFunction; embedder: ApiFunction | undefined },
) {
  grantRows(fn, table, 'documentReader')
  grantObjects(fn, 'users/*/original', { actions: ['GetObject'], uploads })
  // deletes what was read of a document that was deleted meanwhile
  for (const keys of ['users/*/text', 'users/*/search', 'users/*/pages', 'users/*/tables-1'])
    grantObjects(fn, keys, { actions: ['DeleteObject', 'PutObject'], uploads })
  grantObjects(fn, 'users/*/vectors', { actions: ['DeleteObject'], uploads })
  for (const invoked of [parser, embedder])
    if (invoked) allow(fn, 'lambda', ['InvokeFunction'], invoked.functionArn)
}

/** Looks up whose run or file it is: the account as it is now, and its groups. */
export const grantAccountLookup = (fn: ApiFunction, userPool: IUserPool) =>
  allow(fn, 'cognito-idp', ['AdminGetUser', 'AdminListGroupsForUser', 'ListUsers'], userPool.userPoolArn)

/** Hands over runs. */
export const grantSend = (fn: ApiFunction, queue: IQueue) => allow(fn, 'sqs', ['SendMessage'], queue.queueArn)

/** Calls a function, and does not wait for it. */
export const grantInvoke = (fn: ApiFunction, called: ApiFunction) =>
  allow(fn, 'lambda', ['InvokeFunction'], called.functionArn)

/** Reads stored texts and the model's key, and stores the vectors of texts. */
export function grantEmbedder(
  fn: ApiFunction,
  { table, uploads, modelKey }: UserData & { modelKey: SecretReference | undefined },
) {
  grantRows(fn, table, 'documentEmbedder')
  grantObjects(fn, 'users/*/text', { actions: ['GetObject'], uploads })
  grantObjects(fn, 'users/*/vectors', { actions: ['DeleteObject', 'GetObject', 'PutObject'], uploads })
  if (modelKey) grantSecretRead(fn, modelKey)
}

/** Reads, changes, exports and erases all data of a user, and their account in the user pool. */
export function grantAccount(
  fn: ApiFunction,
  { table, uploads, userPool, vaultPrefix, sealingKey }: UserData & VaultAccess & { userPool: IUserPool },
) {
  grantRows(fn, table, 'account')
  grantObjects(fn, incomingUploads, { actions: ['DeleteObject'], uploads })
  grantObjects(fn, finishedFiles, { actions: ['DeleteObject', 'GetObject'], uploads })
  grantObjects(fn, publishedTexts, { actions: ['DeleteObject', 'GetObject'], uploads })
  // an erasure also finds objects that no row names
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ['s3:ListBucket'],
      resources: [uploads.bucketArn],
      conditions: {
        StringLike: { 's3:prefix': [finishedFiles, incomingUploads, exportArchives, publishedTexts] },
      },
    }),
  )
  const archives = ['AbortMultipartUpload', 'DeleteObject', 'GetObject', 'PutObject']
  grantObjects(fn, exportArchives, { actions: archives, uploads })
  allow(
    fn,
    'cognito-idp',
    [
      'AdminDeleteUser',
      'AdminDisableUser',
      'AdminGetUser',
      // whether a schedule may run, in the administrators' list
      'AdminListGroupsForUser',
      'AdminUserGlobalSignOut',
      // an administrator names the account to be erased by its id
      'ListUsers',
    ],
    userPool.userPoolArn,
  )
  grantVault(fn, { vaultPrefix, sealingKey }, ['DeleteSecret', 'GetSecretValue'])
}

/**
 * Stores second factors, sealed, and counts attempts. Setting up a factor uses the caller's token and needs no grant; looking up
 * accounts and switching a factor off do.
 */
export function grantTwoFactor(
  fn: ApiFunction,
  { table, sealingKey, userPool }: { table: Table; sealingKey: SecretReference; userPool: IUserPool },
) {
  grantRows(fn, table, 'mfa')
  const actions = ['AdminGetUser', 'AdminSetUserMFAPreference', 'ListUsers']
  allow(fn, 'cognito-idp', actions, userPool.userPoolArn)
  grantSecretRead(fn, sealingKey)
}

/** An administrator's actions at the user pool, without deleting accounts and setting passwords. */
const administration = [
  'AdminAddUserToGroup',
  'AdminDisableUser',
  'AdminEnableUser',
  'AdminGetUser',
  'AdminListGroupsForUser',
  'AdminRemoveUserFromGroup',
  'AdminUserGlobalSignOut',
  'CreateGroup',
  'DeleteGroup',
  'ListGroups',
  'ListUsers',
  'ListUsersInGroup',
]

/**
 * Manages users, groups and invitations. Reaches no rows, files or secrets of users. Sends invitations from the operator's own address, if
 * there is one.
 */
export function grantAdmin(
  fn: ApiFunction,
  { table, userPool, ses }: { table: Table; userPool: IUserPool; ses: Config['ses'] },
) {
  grantRows(fn, table, 'admin')
  allow(fn, 'cognito-idp', administration, userPool.userPoolArn)
  grantMails(fn, ses)
}

/** Reads whose reply has ended, the browsers to tell and the address to write to, and sends. */
export function grantNotifier(
  fn: ApiFunction,
  {
    table,
    userPool,
    sealingKey,
    ses,
  }: { table: Table; userPool: IUserPool; sealingKey: Secret; ses: Config['ses'] },
) {
  grantRows(fn, table, 'notifier')
  allow(fn, 'cognito-idp', ['ListUsers'], userPool.userPoolArn)
  allow(fn, 'secretsmanager', ['GetSecretValue'], sealingKey.secretArn)
  grantMails(fn, ses)
}

/** Sends mails from the operator's own address, if there is one. */
function grantMails(fn: ApiFunction, ses: Config['ses']) {
  if (!ses) return
  const identity = ses.verified === 'domain' ? ses.sender.replace(/^.*@/, '') : ses.sender
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: [Stack.of(fn).formatArn({ service: 'ses', resource: 'identity', resourceName: identity })],
      conditions: { StringEquals: { 'ses:FromAddress': ses.sender } },
    }),
  )
}

/**
 * Stores integrations, their credentials and custom tools: rows, sealed tokens, and secrets of the stage's vault. With the vault in
 * the table no secrets are created; existing ones are read and deleted (ADR 0019).
 */
export function grantIntegrations(
  fn: ApiFunction,
  { table, vault, vaultPrefix, sealingKey }: VaultAccess & { table: Table; vault: 'secrets' | 'table' },
) {
  grantRows(fn, table, 'integrations')
  const createActions = vault === 'secrets' ? (['CreateSecret'] as const) : []
  grantVault(fn, { vaultPrefix, sealingKey }, [...createActions, 'DeleteSecret', 'GetSecretValue'])
}

/**
 * Lists tools of connections and the ledger; asks MCP servers for their tools with the user's credentials; puts files of a connected drive
 * where uploads arrive.
 */
export function grantTools(
  fn: ApiFunction,
  { table, uploads, vaultPrefix, sealingKey }: UserData & VaultAccess,
) {
  grantRows(fn, table, 'tools')
  grantObjects(fn, incomingUploads, { actions: ['PutObject'], uploads })
  grantVault(fn, { vaultPrefix, sealingKey }, ['GetSecretValue'])
}

/** Refreshes tokens of all users: reads their secrets, and the index that names their connections. */
export function grantConnectionRefresh(
  fn: ApiFunction,
  { table, vaultPrefix, sealingKey }: VaultAccess & { table: Table },
) {
  grantRows(fn, table, 'connectionRefresh')
  grantVault(fn, { vaultPrefix, sealingKey }, ['GetSecretValue'])
}

export function grantSecretRead(fn: ApiFunction, secret: SecretReference) {
  allow(fn, 'secretsmanager', ['GetSecretValue'], secret.arn)
}

/**
 * Lets a trigger of a pool call actions of that pool. The policy is separate from the role to avoid a cycle: the pool depends on the
 * function, the function on its role, so the role must not depend on the pool.
 */
export function grantAtPool(
  scope: Construct,
  id: string,
  { trigger, userPool, actions }: { trigger: ApiFunction; userPool: IUserPool; actions: readonly string[] },
) {
  const statement = statementFor('cognito-idp', actions, userPool.userPoolArn)
  new Policy(scope, id, { roles: [requireRole(trigger)], statements: [statement] })
}

interface VaultAccess {
  readonly vaultPrefix: string
  readonly sealingKey: Secret
}

/** All users' secrets in the vault of this stage, and the key that seals tokens. */
function grantVault(
  fn: ApiFunction,
  { vaultPrefix, sealingKey }: VaultAccess,
  actions: readonly ('CreateSecret' | 'DeleteSecret' | 'GetSecretValue')[],
) {
  const secrets = Stack.of(fn).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${vaultPrefix}/*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
  allow(fn, 'secretsmanager', actions, secrets)
  acknowledgeWildcard(
    requireRole(fn),
    secrets,
    'Secrets of users are made while the product runs, one for each connection, all under this stage’s own prefix; the function asks for those of the signed-in user only.',
  )
  allow(fn, 'secretsmanager', ['GetSecretValue'], sealingKey.secretArn)
}

const statementFor = (service: string, actions: readonly string[], resource: string) =>
  new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources: [resource] })

function allow(fn: ApiFunction, service: string, actions: readonly string[], resource: string) {
  fn.addToRolePolicy(statementFor(service, actions, resource))
}

/** The rows that `tableAccess` lists for the function, and no others. */
export function grantRows(fn: ApiFunction, table: Table, name: FunctionName) {
  for (const rows of tableAccess[name]) fn.addToRolePolicy(rowStatement(table, rows))
}

/**
 * A statement about rows of these partitions. `ForAllValues` is true for a request that names no key at all, so a second condition
 * requires that IAM gets the keys. DynamoDB passes them on for the actions of `RowAction` only.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
export function rowStatement(table: Table, { actions, partitions }: RowAccess): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    },
  })
}

function grantObjects(
  fn: ApiFunction,
  keys: string,
  { actions, uploads }: { actions: string[]; uploads: Bucket },
) {
  fn.addToRolePolicy(statementFor('s3', actions, uploads.arnForObjects(keys)))
  acknowledgeWildcard(
    requireRole(fn),
    `${Stack.of(uploads).exportValue(uploads.bucketArn)}/${keys}`,
    'Objects are made by users, in a folder of this bucket for each; one function serves all users, takes the folder from the verified token, and may touch no other part of the bucket.',
  )
}

function requireRole(fn: ApiFunction): IRole {
  if (!fn.role) throw new Error(`${fn.node.path} has no role of its own`)
  return fn.role
}
