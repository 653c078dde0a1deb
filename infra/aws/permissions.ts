import { ArnFormat, Stack } from 'aws-cdk-lib'
import type { IUserPool } from 'aws-cdk-lib/aws-cognito'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { Policy, PolicyStatement, type IRole } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { acknowledgeStar } from './acknowledge.ts'
import type { ApiFunction } from './api-function.ts'
import type { SecretReference } from './secret-reference.ts'
import { tableAccess, type RowAccess } from './table-access.ts'

// Every grant is named after its need and lists what the code calls, no more. The rows of each function stand in table-access.ts.

interface UserData {
  table: Table
  uploads: Bucket
}

/** Where finished files lie, a folder a user; and where uploads arrive. */
const finished = 'users/*'
const incoming = 'incoming/*'
/** The archive of each user that exported their data, for a day. */
const exported = 'exports/*'

/**
 * Holds conversations: reads them, writes turns, runs and their logs, asks the model with its key, and shows it the files of a
 * message; keeps the pictures that were made, deletes the files that are not to outlive their reply, and uses what people have
 * connected: their secrets are read and their tokens renewed.
 */
export function grantChat(
  fn: ApiFunction,
  {
    table,
    uploads,
    modelKey,
    vaultPrefix,
    sealingKey,
  }: UserData & VaultAccess & { modelKey: SecretReference },
) {
  grantRows(fn, table, tableAccess.chat)
  grantVault(fn, { vaultPrefix, sealingKey }, ['GetSecretValue'])
  grantObjects(fn, finished, { actions: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'], uploads })
  grantSecretRead(fn, modelKey)
}

/** Lists, reads, names, exports and deletes conversations, with links to their files, which go along. */
export function grantSessions(fn: ApiFunction, { table, uploads }: UserData) {
  grantRows(fn, table, tableAccess.sessions)
  grantObjects(fn, finished, { actions: ['s3:DeleteObject', 's3:GetObject'], uploads })
}

/** Shows shared conversations to whoever has a link: reads their snapshots, counts, and reaches nothing of anybody. */
export function grantShared(fn: ApiFunction, table: Table) {
  grantRows(fn, table, tableAccess.shared)
}

/** Lets uploads in, looks at what arrived and moves it to its user, gives links, deletes. */
export function grantFiles(fn: ApiFunction, { table, uploads }: UserData) {
  grantRows(fn, table, tableAccess.files)
  const actions = ['s3:DeleteObject', 's3:GetObject', 's3:PutObject']
  for (const keys of [incoming, finished]) grantObjects(fn, keys, { actions, uploads })
}

/**
 * Has documents read: signs the address of one for the parser, which may nothing by itself, invokes it, and stores the text beside
 * the document.
 */
export function grantDocuments(
  fn: ApiFunction,
  { table, uploads, parser }: UserData & { parser: ApiFunction },
) {
  grantRows(fn, table, tableAccess.documents)
  grantObjects(fn, 'users/*/original', { actions: ['s3:GetObject'], uploads })
  // it takes back the text of a document that was deleted while it was read
  grantObjects(fn, 'users/*/text', { actions: ['s3:DeleteObject', 's3:PutObject'], uploads })
  allow(fn, ['lambda:InvokeFunction'], parser.functionArn)
}

/** Reads, changes, exports and erases everything of a person, the account at the user pool included. */
export function grantAccount(
  fn: ApiFunction,
  { table, uploads, userPool, vaultPrefix, sealingKey }: UserData & VaultAccess & { userPool: IUserPool },
) {
  grantRows(fn, table, tableAccess.account)
  grantObjects(fn, incoming, { actions: ['s3:DeleteObject'], uploads })
  grantObjects(fn, finished, { actions: ['s3:DeleteObject', 's3:GetObject'], uploads })
  // an erasure also finds objects that no row names
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ['s3:ListBucket'],
      resources: [uploads.bucketArn],
      conditions: { StringLike: { 's3:prefix': [finished, incoming] } },
    }),
  )
  const archives = ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject']
  grantObjects(fn, exported, { actions: archives, uploads })
  allow(
    fn,
    ['cognito-idp:AdminDeleteUser', 'cognito-idp:AdminGetUser', 'cognito-idp:AdminUserGlobalSignOut'],
    userPool.userPoolArn,
  )
  grantVault(fn, { vaultPrefix, sealingKey }, ['DeleteSecret', 'GetSecretValue'])
}

/**
 * Keeps second factors and the tries at them, sealed. It sets a factor up at Cognito with the caller's own token, which needs no grant;
 * it looks accounts up and switches a factor off in its own right.
 */
export function grantTwoFactor(
  fn: ApiFunction,
  { table, sealingKey, userPool }: { table: Table; sealingKey: SecretReference; userPool: IUserPool },
) {
  grantRows(fn, table, tableAccess.mfa)
  allow(fn, ['cognito-idp:AdminGetUser', 'cognito-idp:AdminSetUserMFAPreference'], userPool.userPoolArn)
  grantSecretRead(fn, sealingKey)
}

/** Keeps the record of the syncs and the snapshots of the registry, and no other rows. */
export function grantRegistrySync(fn: ApiFunction, table: Table) {
  grantRows(fn, table, tableAccess.registrySync)
}

/** Syncs for a person: the same rows, and what it takes to know the caller. */
export function grantManualSync(fn: ApiFunction, table: Table) {
  grantRows(fn, table, tableAccess.manualSync)
}

/** Reads the registry; writes nothing but the caller's budget. */
export function grantRegistry(fn: ApiFunction, table: Table) {
  grantRows(fn, table, tableAccess.registry)
}

/**
 * Holds integrations, their credentials and custom tools: rows, sealed tokens, and the secrets of its own part of the vault. Where
 * the vault is in the table, no secret is made any more: what was there before is read and deleted (ADR 0019).
 */
export function grantIntegrations(
  fn: ApiFunction,
  { table, vault, vaultPrefix, sealingKey }: VaultAccess & { table: Table; vault: 'secrets' | 'table' },
) {
  grantRows(fn, table, tableAccess.integrations)
  const making = vault === 'secrets' ? (['CreateSecret'] as const) : []
  grantVault(fn, { vaultPrefix, sealingKey }, [...making, 'DeleteSecret', 'GetSecretValue'])
}

/** Tells what connections can do, and what was done with them; asks servers for their tools with people's own credentials. */
export function grantTools(
  fn: ApiFunction,
  { table, vaultPrefix, sealingKey }: VaultAccess & { table: Table },
) {
  grantRows(fn, table, tableAccess.tools)
  grantVault(fn, { vaultPrefix, sealingKey }, ['GetSecretValue'])
}

/** Reads the facts about the site that the web stack wrote, and no other row. */
export function grantSiteConfig(fn: ApiFunction, table: Table) {
  grantRows(fn, table, tableAccess.customMessage)
}

/** Looks an invitation up, and reads no other row. */
export function grantInvitations(fn: ApiFunction, table: Table) {
  grantRows(fn, table, tableAccess.preSignUp)
}

export function grantSecretRead(fn: ApiFunction, secret: SecretReference) {
  allow(fn, ['secretsmanager:GetSecretValue'], secret.arn)
}

/**
 * Lets a trigger of the pool look up accounts of that pool. The policy stands beside the role, not in it: the pool needs the
 * function, the function its role, and the role must therefore not need the pool.
 */
export function grantAccountLookup(scope: Construct, role: IRole, userPool: IUserPool) {
  grantAtPool(scope, 'FindsAccounts', { role, userPool, actions: ['cognito-idp:ListUsers'] })
}

/** Lets a trigger of the pool end the sessions of an account, and replace a password that its owner did not choose; as above. */
export function grantGlobalSignOut(scope: Construct, role: IRole, userPool: IUserPool) {
  const actions = ['AdminSetUserMFAPreference', 'AdminSetUserPassword', 'AdminUserGlobalSignOut']
  grantAtPool(scope, 'EndsSessions', { role, userPool, actions: actions.map((one) => `cognito-idp:${one}`) })
}

function grantAtPool(
  scope: Construct,
  id: string,
  { role, userPool, actions }: { role: IRole; userPool: IUserPool; actions: string[] },
) {
  const statement = new PolicyStatement({ actions, resources: [userPool.userPoolArn] })
  new Policy(scope, id, { roles: [role], statements: [statement] })
}

/** Writes the marks that refuse the tokens of ended sessions, and no other row. */
export function grantRevocationMarks(fn: ApiFunction, table: Table) {
  grantRows(fn, table, tableAccess.postConfirmation)
}

interface VaultAccess {
  readonly vaultPrefix: string
  readonly sealingKey: Secret
}

/** The secrets of the product's own vault, whoever they belong to, and no others; and the key that seals tokens. */
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
  allow(
    fn,
    actions.map((action) => `secretsmanager:${action}`),
    secrets,
  )
  acknowledgeStar(
    requireRole(fn),
    secrets,
    'Secrets of users are made while the product runs, one for each connection, all under this stage’s own prefix; the function asks for those of the signed-in user only.',
  )
  allow(fn, ['secretsmanager:GetSecretValue'], sealingKey.secretArn)
}

function allow(fn: ApiFunction, actions: string[], resource: string) {
  fn.addToRolePolicy(new PolicyStatement({ actions, resources: [resource] }))
}

function grantRows(fn: ApiFunction, table: Table, access: readonly RowAccess[]) {
  for (const rows of access) fn.addToRolePolicy(rowStatement(table, rows))
}

/**
 * A statement about rows of these partitions. `ForAllValues` is true for a request that names no key at all, so a second condition
 * demands that the keys are known. It knows them for exactly the actions of `RowAction`.
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
  fn.addToRolePolicy(new PolicyStatement({ actions, resources: [uploads.arnForObjects(keys)] }))
  acknowledgeStar(
    requireRole(fn),
    `${Stack.of(uploads).exportValue(uploads.bucketArn)}/${keys}`,
    'Objects are made by users, in a folder of this bucket for each; one function serves all users, takes the folder from the verified token, and may touch no other part of the bucket.',
  )
}

function requireRole(fn: ApiFunction): IRole {
  if (!fn.role) throw new Error(`${fn.node.path} has no role of its own`)
  return fn.role
}
