import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { matchesPattern } from '../../infra/local/emulators/row-policy.ts'
import { configurations, otherValues } from './configurations.ts'
import { readActions } from './sdk-actions.ts'
import { synthesise, type StackName, type Synthesised } from './synthesised.ts'

const app = synthesise()
const full = synthesise(configurations.full)

const allow = (action: string | string[], resource: string | string[]) => ({
  Action: action,
  Effect: 'Allow',
  Resource: resource,
})
/** Permissions of every function: its own log, and its traces, for which IAM has no resource. */
const logAndTraceStatements = (stack: StackName, id: string) => [
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], `${stack}/${id}Logs.Arn`),
  allow(['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*'),
]
/** Lambda connects a function to a network with its role, and the code of the function may not use that. */
const connectStatements = ['LambdaConnects', 'CodeDoesNot'].map((Sid) => ({
  Sid,
  Action: [
    'ec2:AssignPrivateIpAddresses',
    'ec2:CreateNetworkInterface',
    'ec2:DeleteNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:UnassignPrivateIpAddresses',
  ],
  Resource: '*',
  ...(Sid === 'LambdaConnects'
    ? { Effect: 'Allow' }
    : {
        Effect: 'Deny',
        Condition: {
          ArnLike: {
            'lambda:SourceFunctionArn':
              'arn:<Partition>:lambda:<Region>:<AccountId>:function:<StackName>-DocumentParser*',
          },
        },
      }),
}))
/** A statement about rows must name partitions, and apply only if the keys are known. */
const allowRows = (actions: string | string[], partitions: string[]) => ({
  ...allow(actions, 'data/Table.Arn'),
  Condition: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  },
})

/** The actions that a function's role allows, without those of every function (log, trace) and of Lambda itself (the queue). */
function actionsGranted(stack: StackName, id: string): string[] {
  const statements = full.listStatements(stack, id) as {
    Action: string | string[]
    Resource: unknown
  }[]
  // Lambda itself sends what failed
  const ofCode = statements.filter(({ Resource }) => Resource !== 'api/FailedEvents.Arn')
  const actions = ofCode.flatMap(({ Action }) => Action)
  return [...new Set(actions.filter((action) => !/^(logs|xray):/.test(action)))].toSorted()
}

/** Roles that several functions share, or that have a managed policy. */
function listSharedOrManagedRoles(synthesised: Synthesised, stack: StackName) {
  const functions = synthesised.resources(stack, 'AWS::Lambda::Function')
  const roles = functions.map(({ Properties }) => String(Properties['Role']))
  const managed = synthesised
    .resources(stack, 'AWS::IAM::Role')
    .filter(({ id, Properties }) => roles.includes(`${stack}/${id}.Arn`) && 'ManagedPolicyArns' in Properties)
  return {
    shared: roles.filter((role, index) => roles.indexOf(role) !== index),
    managed: managed.map(({ id }) => id),
  }
}

/** The permissions of an API function other than for rows of the table. */
const listStatementsBesidesRows = (id: string, synthesised = app) =>
  synthesised
    .listStatements('api', id)
    .filter((statement) => !JSON.stringify(statement).includes('dynamodb:'))

const vaultSecrets = 'arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:juno-dev/vault/*'

describe('least privilege', () => {
  it.each(['auth', 'api'] as const)(
    'INFRA-18 every function of %s has its own role, without managed policies',
    (stack) => {
      expect(full.resources(stack, 'AWS::Lambda::Function').length).toBeGreaterThan(1)
      expect(listSharedOrManagedRoles(full, stack)).toEqual({ shared: [], managed: [] })
    },
  )

  it('INFRA-18 no function reaches the records of releases, which tell what an operator goes back to', () => {
    const resources = (['auth', 'api', 'web'] as const).flatMap((stack) =>
      listRoles(full, stack).flatMap(({ statements }) => statements.flatMap(({ Resource }) => Resource)),
    )
    const folders = resources
      .map(String)
      .filter((resource) => resource.startsWith('data/Uploads.Arn/'))
      .map((resource) => resource.split('/')[2])
    expect(new Set(folders)).toEqual(new Set(['exports', 'incoming', 'published', 'users']))
  })

  it('INFRA-18 CDK’s helper functions have no managed policies either', () => {
    expect(full.resources('web', 'AWS::Lambda::Function')).toHaveLength(3)
    expect(listSharedOrManagedRoles(full, 'web')).toEqual({ shared: [], managed: [] })
  })

  it.each([
    ['api', 'Chat', 'chat/handlers.ts'],
    ['api', 'Sessions', 'conversations/handlers.ts'],
    ['api', 'Shared', 'shares/handlers.ts'],
    ['api', 'Files', 'files/handlers.ts'],
    // the module of the object store, too, has a request that it never sends
    ['api', 'Documents', 'documents/handlers.ts', ['s3:DeleteObject']],
    ['api', 'DocumentReader', 'documents/reader.ts'],
    ['api', 'DocumentEmbedder', 'embeddings/embedder.ts'],
    ['api', 'Account', 'account/handlers.ts'],
    ['api', 'Mfa', 'mfa/handlers.ts'],
    ['api', 'Admin', 'admin/handlers.ts'],
    ['api', 'RegistrySync', 'registry/daily-sync.ts'],
    ['api', 'ModelCheck', 'model-check/daily-check.ts'],
    ['api', 'ConnectionRefresh', 'integrations/credentials/daily-refresh.ts'],
    // the repositories whose rows it reads have writes, and the accounts a second factor
    [
      'api',
      'Notifier',
      'push/notifier.ts',
      ['cognito-idp:AdminGetUser', 'dynamodb:BatchWriteItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem'],
    ],
    ['api', 'Integrations', 'integrations/handlers.ts'],
    ['api', 'Oauth', 'integrations/oauth/handlers.ts'],
    ['api', 'Registry', 'registry/handlers.ts'],
    ['api', 'Tools', 'tools/handlers.ts'],
    ['api', 'ScheduleDispatcher', 'schedules/dispatcher.ts'],
    ['api', 'ManualSync', 'registry/manual-sync.ts'],
    ['auth', 'PreSignUp', 'sign-in/pre-sign-up.ts'],
    ['auth', 'CustomMessage', 'sign-in/custom-message.ts'],
    ['auth', 'PreAuthentication', 'sign-in/pre-authentication.ts'],
    // counters are read by days elsewhere
    ['auth', 'PreTokenGeneration', 'sign-in/pre-token-generation.ts', ['dynamodb:Query']],
    ['auth', 'PostConfirmation', 'sign-in/post-confirmation.ts'],
  ] as const)(
    'INFRA-18 %s/%s may do exactly what the code of %s does',
    async (stack, id, entry, unused: readonly string[] = []) => {
      const usedActions = (await readActions(`functions/${entry}`)).filter(
        (action) => !unused.includes(action),
      )
      expect(usedActions).not.toEqual([])
      expect(actionsGranted(stack, id)).toEqual(usedActions)
    },
  )

  it('INFRA-18 chat: files, the model’s key, and users’ connections', () => {
    expect(listStatementsBesidesRows('Chat')).toEqual([
      ...logAndTraceStatements('api', 'Chat'),
      allow('lambda:InvokeFunction', [
        'api/DocumentParser.Arn',
        'api/DocumentReader.Arn',
        'api/Notifier.Arn',
      ]),
      allow('secretsmanager:GetSecretValue', [
        'juno-dev-data.ModelKeySecret',
        'data/SealingKey',
        vaultSecrets,
      ]),
      allow(['s3:DeleteObject', 's3:GetObject', 's3:PutObject'], 'data/Uploads.Arn/users/*'),
      allow('s3:GetObject', 'data/Uploads.Arn/published/*'),
      allow(['s3:GetObject', 's3:PutObject'], 'data/Uploads.Arn/exports/*/csv'),
    ])
  })

  it('INFRA-18 sessions: the files of conversations, which are deleted with them, their reading, and copies of texts for assistants', () => {
    expect(listStatementsBesidesRows('Sessions')).toEqual([
      ...logAndTraceStatements('api', 'Sessions'),
      allow('lambda:InvokeFunction', 'api/DocumentReader.Arn'),
      // a file whose upload was not finished
      allow('s3:DeleteObject', 'data/Uploads.Arn/incoming/*'),
      allow(
        ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
        ['data/Uploads.Arn/published/*', 'data/Uploads.Arn/users/*'],
      ),
      allow('cognito-idp:AdminGetUser', 'auth/UserPool.Arn'),
    ])
  })

  it('INFRA-18 shared conversations: a caller without an account reaches snapshots, counts, what a token is verified with, and no user’s data', () => {
    expect(app.listStatements('api', 'Shared')).toEqual([
      ...logAndTraceStatements('api', 'Shared'),
      allowRows('dynamodb:GetItem', ['CONF', 'OUT#*']),
      allowRows('dynamodb:UpdateItem', ['RATE#*']),
      allowRows('dynamodb:Query', ['SHARE#*']),
      allowRows('dynamodb:GetItem', ['SETTINGS']),
    ])
  })

  it('INFRA-18 files: uploads and stored files', () => {
    const fileActions = ['s3:DeleteObject', 's3:GetObject', 's3:PutObject']
    expect(listStatementsBesidesRows('Files')).toEqual([
      ...logAndTraceStatements('api', 'Files'),
      allow('lambda:InvokeFunction', 'api/DocumentReader.Arn'),
      allow(fileActions, ['data/Uploads.Arn/incoming/*', 'data/Uploads.Arn/users/*']),
    ])
  })

  it('a document that takes over its parser reaches no row, no file and no secret (M7)', () => {
    const logAndTrace = logAndTraceStatements('api', 'DocumentParser')
    expect(app.listStatements('api', 'DocumentParser')).toEqual(logAndTrace)
    expect(full.listStatements('api', 'DocumentParser')).toEqual([...logAndTrace, ...connectStatements])
    const { Environment } = app.named('api', 'AWS::Lambda::Function', 'DocumentParser').Properties
    expect(Environment).toEqual({
      Variables: {
        BUCKET_ORIGIN: 'https://data/Uploads.RegionalDomainName',
        METRICS_NAMESPACE: 'juno-dev',
        NODE_OPTIONS: '--enable-source-maps',
      },
    })
    // and only the functions that know the user may call it
    const invokers = listRoles(app, 'api').filter(({ statements }) =>
      JSON.stringify(statements).includes('api/DocumentParser.Arn'),
    )
    expect(invokers.map(({ id }) => id)).toEqual([
      'DocumentReaderRole',
      'ChatRole',
      'DocumentsRole',
      'ScheduleWorkerRole',
    ])
    const permissions = app.resources('api', 'AWS::Lambda::Permission')
    expect(permissions.length).toBeGreaterThan(10)
    expect(JSON.stringify(permissions)).not.toContain('DocumentParser')
  })

  it('INFRA-18 documents: stored texts and tables to read, results of queries to write; their reader: originals to read, texts to write, and the parser', () => {
    expect(listStatementsBesidesRows('Documents')).toEqual([
      ...logAndTraceStatements('api', 'Documents'),
      allow(
        's3:GetObject',
        ['tables-1', 'text'].map((name) => `data/Uploads.Arn/users/*/${name}`),
      ),
      allow(['s3:GetObject', 's3:PutObject'], 'data/Uploads.Arn/exports/*/csv'),
      allow('lambda:InvokeFunction', ['api/DocumentParser.Arn', 'api/DocumentReader.Arn']),
    ])
    const arn = 'data/Uploads.Arn/users/*'
    expect(listStatementsBesidesRows('DocumentReader')).toEqual([
      ...logAndTraceStatements('api', 'DocumentReader'),
      allow('s3:GetObject', `${arn}/original`),
      allow(
        ['s3:DeleteObject', 's3:PutObject'],
        ['pages', 'search', 'tables-1', 'text'].map((name) => `${arn}/${name}`),
      ),
      allow('s3:DeleteObject', `${arn}/vectors`),
      allow('lambda:InvokeFunction', 'api/DocumentParser.Arn'),
      allow(['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'], 'api/FailedEvents.Arn'),
    ])
  })

  it('INFRA-18 vectors: a function that exists with a model for them reads texts and the model’s key', () => {
    expect(app.resources('api', 'AWS::Lambda::Function').map(({ id }) => id)).not.toContain(
      'DocumentEmbedder',
    )
    const arn = 'data/Uploads.Arn/users/*'
    expect(listStatementsBesidesRows('DocumentEmbedder', full)).toEqual([
      ...logAndTraceStatements('api', 'DocumentEmbedder'),
      allow('s3:GetObject', `${arn}/text`),
      allow(['s3:DeleteObject', 's3:GetObject', 's3:PutObject'], `${arn}/vectors`),
      expect.objectContaining({ Action: 'secretsmanager:GetSecretValue' }) as unknown,
      // whose file it is, and in which groups they are
      expect.objectContaining({
        Action: ['cognito-idp:AdminGetUser', 'cognito-idp:AdminListGroupsForUser', 'cognito-idp:ListUsers'],
      }) as unknown,
      allow(['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'], 'api/FailedEvents.Arn'),
    ])
    // the parser and the reader of untrusted documents have no key
    for (const id of ['DocumentParser', 'DocumentReader'])
      expect(JSON.stringify(full.listStatements('api', id))).not.toContain('secretsmanager')
    expect(listStatementsBesidesRows('DocumentReader', full)).toContainEqual(
      allow('lambda:InvokeFunction', ['api/DocumentEmbedder.Arn', 'api/DocumentParser.Arn']),
    )
  })

  it('INFRA-18 account: a user’s files and secrets, and their account', () => {
    expect(listStatementsBesidesRows('Account')).toEqual([
      ...logAndTraceStatements('api', 'Account'),
      allow('s3:DeleteObject', 'data/Uploads.Arn/incoming/*'),
      allow(
        ['s3:DeleteObject', 's3:GetObject'],
        ['data/Uploads.Arn/published/*', 'data/Uploads.Arn/users/*'],
      ),
      {
        ...allow('s3:ListBucket', 'data/Uploads.Arn'),
        Condition: { StringLike: { 's3:prefix': ['users/*', 'incoming/*', 'exports/*', 'published/*'] } },
      },
      allow(
        ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject'],
        'data/Uploads.Arn/exports/*',
      ),
      allow(
        [
          'cognito-idp:AdminDeleteUser',
          'cognito-idp:AdminDisableUser',
          'cognito-idp:AdminGetUser',
          'cognito-idp:AdminListGroupsForUser',
          'cognito-idp:AdminUserGlobalSignOut',
          'cognito-idp:ListUsers',
        ],
        'auth/UserPool.Arn',
      ),
      allow(['secretsmanager:DeleteSecret', 'secretsmanager:GetSecretValue'], vaultSecrets),
      allow('secretsmanager:GetSecretValue', 'data/SealingKey'),
    ])
    expect(full.listStatements('api', 'Account').at(-1)).toEqual(
      allow('secretsmanager:GetSecretValue', [
        'data/SealingKey',
        'arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:team/apps-??????',
      ]),
    )
  })

  it('INFRA-18 two-factor: the key that seals; accounts are looked up, and a factor is switched off', () => {
    expect(listStatementsBesidesRows('Mfa')).toEqual([
      ...logAndTraceStatements('api', 'Mfa'),
      allow(
        ['cognito-idp:AdminGetUser', 'cognito-idp:AdminSetUserMFAPreference', 'cognito-idp:ListUsers'],
        'auth/UserPool.Arn',
      ),
      allow('secretsmanager:GetSecretValue', 'data/SealingKey'),
    ])
  })

  it('DEC-188 administrators: the pool’s accounts and groups, the sender’s mails, and no user data', () => {
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
    ].map((action) => `cognito-idp:${action}`)
    const always = [...logAndTraceStatements('api', 'Admin'), allow(administration, 'auth/UserPool.Arn')]
    expect(listStatementsBesidesRows('Admin')).toEqual(always)
    const allowMails = (identity: string, sender: string) => ({
      ...allow('ses:SendEmail', `arn:<Partition>:ses:<Region>:<AccountId>:identity/${identity}`),
      Condition: { StringEquals: { 'ses:FromAddress': sender } },
    })
    const sender = 'hello@example.org'
    expect(listStatementsBesidesRows('Admin', full)).toEqual([...always, allowMails('example.org', sender)])
    expect(listStatementsBesidesRows('Admin', synthesise(otherValues))).toEqual([
      ...always,
      allowMails(sender, sender),
    ])
  })

  it('INFRA-18 every function that is told where the operator’s apps are may read them, and no other one', () => {
    const apps = 'arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:team/apps-??????'
    const informed = full
      .resources('api', 'AWS::Lambda::Function')
      .filter(({ Properties }) => JSON.stringify(Properties['Environment']).includes('PROVIDER_APPS_SECRET'))
      .map(({ id }) => id)
    const readers = full
      .resources('api', 'AWS::Lambda::Function')
      .map(({ id }) => id)
      .filter((id) => JSON.stringify(full.listStatements('api', id)).includes(apps))
    expect(informed).toContain('Chat')
    expect(readers).toEqual(informed)
  })

  it('INFRA-18 health: nothing but its log and its traces', () => {
    expect(app.listStatements('api', 'Health')).toEqual(logAndTraceStatements('api', 'Health'))
  })

  /** where what was given up goes */
  const failedEvents = allow(
    ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
    'api/FailedEvents.Arn',
  )

  it('INFRA-18 model check: the model’s key, and no rows', () => {
    expect(app.listStatements('api', 'ModelCheck')).toEqual([
      ...logAndTraceStatements('api', 'ModelCheck'),
      allow('secretsmanager:GetSecretValue', 'juno-dev-data.ModelKeySecret'),
      failedEvents,
    ])
  })

  it('INFRA-18 registry sync: the queue of failed events, and the token if there is one', () => {
    expect(listStatementsBesidesRows('RegistrySync')).toEqual([
      ...logAndTraceStatements('api', 'RegistrySync'),
      failedEvents,
    ])
    expect(listStatementsBesidesRows('RegistrySync', full)).toEqual([
      ...logAndTraceStatements('api', 'RegistrySync'),
      allow(
        'secretsmanager:GetSecretValue',
        'arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:team/github-??????',
      ),
      failedEvents,
    ])
  })

  it('INFRA-18 integrations: the secrets in their part of the vault, and the sealing key', () => {
    for (const id of ['Integrations', 'Oauth'])
      expect(listStatementsBesidesRows(id)).toEqual([
        ...logAndTraceStatements('api', id),
        allow(
          ['secretsmanager:CreateSecret', 'secretsmanager:DeleteSecret', 'secretsmanager:GetSecretValue'],
          vaultSecrets,
        ),
        allow('secretsmanager:GetSecretValue', 'data/SealingKey'),
      ])
  })

  it('INFRA-18 tools: reading the vault’s secrets, and putting files of a drive where uploads arrive', () => {
    expect(listStatementsBesidesRows('Tools')).toEqual([
      ...logAndTraceStatements('api', 'Tools'),
      allow('sqs:SendMessage', 'api/ScheduledRuns.Arn'),
      allow('s3:PutObject', 'data/Uploads.Arn/incoming/*'),
      allow('secretsmanager:GetSecretValue', ['data/SealingKey', vaultSecrets]),
    ])
  })

  it('INFRA-18 DEC-186 the daily refresh: reading the vault’s secrets, and the operator’s apps', () => {
    expect(listStatementsBesidesRows('ConnectionRefresh')).toEqual([
      ...logAndTraceStatements('api', 'ConnectionRefresh'),
      allow('secretsmanager:GetSecretValue', ['data/SealingKey', vaultSecrets]),
      failedEvents,
    ])
    expect(listStatementsBesidesRows('ConnectionRefresh', full)).toEqual([
      ...logAndTraceStatements('api', 'ConnectionRefresh'),
      allow('secretsmanager:GetSecretValue', [
        'data/SealingKey',
        vaultSecrets.replace('juno-dev', 'juno-live'),
        'arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:team/apps-??????',
      ]),
      failedEvents,
    ])
  })

  it('INFRA-18 the catalogue: rows only', () => {
    expect(listStatementsBesidesRows('Registry')).toEqual(logAndTraceStatements('api', 'Registry'))
  })

  it('INFRA-18 triggers: accounts of this pool, and the site configuration', () => {
    expect(full.listStatements('auth', 'PreSignUp')).toEqual([
      ...logAndTraceStatements('auth', 'PreSignUp'),
      allowRows(['dynamodb:GetItem', 'dynamodb:UpdateItem'], ['INVITES']),
      allowRows('dynamodb:GetItem', ['SETTINGS']),
      allow('cognito-idp:ListUsers', 'auth/UserPool.Arn'),
    ])
    expect(full.listStatements('auth', 'CustomMessage')).toEqual([
      ...logAndTraceStatements('auth', 'CustomMessage'),
      allowRows('dynamodb:GetItem', ['CONF']),
    ])
    expect(full.listStatements('auth', 'PostConfirmation')).toEqual([
      ...logAndTraceStatements('auth', 'PostConfirmation'),
      allowRows(['dynamodb:GetItem', 'dynamodb:PutItem'], ['OUT#*']),
      allowRows('dynamodb:DeleteItem', ['PUSH#*']),
      allowRows(['dynamodb:DeleteItem', 'dynamodb:GetItem'], ['INVITES']),
      allowRows('dynamodb:GetItem', ['SETTINGS']),
      allow(
        [
          'cognito-idp:AdminAddUserToGroup',
          'cognito-idp:AdminSetUserMFAPreference',
          'cognito-idp:AdminSetUserPassword',
          'cognito-idp:AdminUserGlobalSignOut',
        ],
        'auth/UserPool.Arn',
      ),
    ])
    expect(full.listStatements('auth', 'PreTokenGeneration')).toEqual([
      ...logAndTraceStatements('auth', 'PreTokenGeneration'),
      allowRows('dynamodb:GetItem', ['GROUPS']),
      allowRows('dynamodb:UpdateItem', ['RATE#*']),
      allow('cognito-idp:AdminGetUser', 'auth/UserPool.Arn'),
    ])
  })

  it('INFRA-18 the writer of the site configuration may put that row only', () => {
    const policy = app
      .resources('web', 'AWS::IAM::Policy')
      .find(({ id }) => id === 'SiteFactsCustomResourcePolicy')
    expect(policy?.Properties['PolicyDocument']).toEqual({
      Statement: [allowRows('dynamodb:PutItem', ['CONF'])],
      Version: '2012-10-17',
    })
  })

  it('INFRA-18 a schedule may start its job and report what it could not start', () => {
    for (const [id, job] of [
      ['DailySyncRole', 'RegistrySync'],
      ['DailyModelCheckRole', 'ModelCheck'],
      ['DailyConnectionRefreshRole', 'ConnectionRefresh'],
    ])
      expect(listRoles(app, 'api').find((role) => role.id === id)?.statements).toEqual([
        allow('lambda:InvokeFunction', `api/${job}.Arn`),
        allow('sqs:SendMessage', 'api/FailedEvents.Arn'),
      ])
  })

  it('INFRA-18 CDK’s helper functions: their log, and deploying the site, without reading or deleting there', () => {
    const helpers = new Map(listRoles(app, 'web').map(({ id, statements }) => [id, statements]))
    expect([...helpers.keys()].toSorted()).toEqual([
      'CustomS3AutoDeleteObjectsCustomResourceProviderRole',
      'DeploymentRole',
      'SiteFactsRole',
    ])
    expect(helpers.get('CustomS3AutoDeleteObjectsCustomResourceProviderRole')).toEqual([
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], 'web/EmptyingLogs.Arn'),
    ])
    expect(helpers.get('DeploymentRole')).toEqual([
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], 'web/DeploymentLogs.Arn'),
      allow('s3:ListBucket', 'web/SiteBucket.Arn'),
      allow(['s3:AbortMultipartUpload', 's3:PutObject'], 'web/SiteBucket.Arn/*'),
      allow('s3:GetObject', 'arn:<Partition>:s3:::cdk-hnb659fds-assets-<AccountId>-<Region>/*.zip'),
    ])
  })
})

/** The actions that a role's statements allow, one line for each action and partition. */
function listAllowedRows(statements: readonly Statement[]): string[] {
  const lines = statements.flatMap(({ Action, Condition }) =>
    toArray(Action)
      .filter((action) => action.startsWith('dynamodb:'))
      .flatMap((action) => partitionsIn(Condition).map((partition) => `${action.slice(9)} ${partition}`)),
  )
  return [...new Set(lines)].toSorted()
}

const partitionsIn = (condition: unknown): string[] =>
  (condition as Record<string, Record<string, string[]>> | undefined)?.['ForAllValues:StringLike']?.[
    'dynamodb:LeadingKeys'
  ] ?? ['(any row)']

/** Statements about the table that name no rows, or that apply when the rows are unknown. */
const findStatementsWithoutRows = (statements: readonly Statement[]) =>
  statements.filter(({ Action, Condition, Resource }) => {
    if (!toArray(Action).some((action) => action.startsWith('dynamodb:'))) return false
    const { Null } = (Condition ?? {}) as { Null?: Record<string, string> }
    return (
      partitionsIn(Condition).some((partition) => /^(\(any row\)|\**)$/.test(partition)) ||
      Null?.['dynamodb:LeadingKeys'] !== 'false' ||
      toArray(Action).some((action) => !rowActions.has(action)) ||
      toArray(Resource).some((resource) => resource !== 'data/Table.Arn')
    )
  })

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html: actions with `dynamodb:LeadingKeys` */
const rowActions = new Set(
  ['BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'].map(
    (action) => `dynamodb:${action}`,
  ),
)

describe('rows of the table', () => {
  const listRoleStatements = (stack: StackName, id: string) => full.listStatements(stack, id) as Statement[]

  it('INFRA-18 M7 each function reaches only the rows of its own work', () => {
    const authenticatingCallers = ['GetItem CONF', 'GetItem OUT#*', 'UpdateItem RATE#*']
    // what the partitions hold: infra/aws/table-access.ts
    const itemActions = ['DeleteItem U#*', 'GetItem U#*', 'PutItem U#*', 'UpdateItem U#*']
    const itemAndQueryActions = [...itemActions, 'Query U#*']
    const catalogueReads = ['GetItem REG#*', 'GetItem SYNC']
    const syncActions = [
      'BatchWriteItem REG#*',
      'PutItem REG#*',
      'UpdateItem REG#*',
      'UpdateItem SYNC',
      ...catalogueReads,
    ]
    const publishingActions = ['ASSIST#*', 'LIST#*', 'USES#*'].flatMap((partition) =>
      ['BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'].map(
        (action) => `${action} ${partition}`,
      ),
    )
    const expected: Record<string, string[]> = {
      // it puts schedules into the index of what is due, and starts none
      Chat: [...replying(), 'DeleteItem DUE#*', 'PutItem DUE#*'],
      ScheduleWorker: replying(),
      Sessions: [
        ...authenticatingCallers,
        'GetItem GROUPS',
        ...itemAndQueryActions,
        'BatchGetItem U#*',
        'BatchWriteItem U#*',
        'BatchWriteItem SHARE#*',
        'PutItem SHARE#*',
        'Query SHARE#*',
        'PutItem AUDIT#*',
        ...publishingActions,
        ...['BatchWriteItem', 'DeleteItem', 'PutItem', 'Query'].map((action) => `${action} FEEDBACK#*`),
      ],
      Shared: ['GetItem CONF', 'GetItem OUT#*', 'GetItem SETTINGS', 'Query SHARE#*', 'UpdateItem RATE#*'],
      Files: [...authenticatingCallers, ...itemAndQueryActions, 'GetItem GROUPS'],
      Documents: [...authenticatingCallers, 'GetItem U#*'],
      DocumentParser: [],
      DocumentReader: ['GetItem U#*', 'UpdateItem U#*'],
      DocumentEmbedder: [
        'GetItem GROUPS',
        'GetItem SETTINGS',
        'GetItem U#*',
        'Query RATE#*',
        'UpdateItem RATE#*',
        'UpdateItem U#*',
      ],
      Account: [
        ...['DeleteItem', 'GetItem', 'PutItem'].map((action) => `${action} PUSH#*`),
        'GetItem PUSH',
        'PutItem PUSH',
        ...authenticatingCallers,
        ...itemAndQueryActions,
        'BatchGetItem U#*',
        'BatchWriteItem FEEDBACK#*',
        'BatchWriteItem RATE#*',
        'BatchWriteItem SHARE#*',
        'Query FEEDBACK#*',
        'Query SHARE#*',
        'BatchWriteItem U#*',
        'DeleteItem E#*',
        'DeleteItem REFRESH',
        'DeleteItem DUE#*',
        'PutItem DUE#*',
        'GetItem E#*',
        'GetItem GROUPS',
        'PutItem AUDIT#*',
        'PutItem OUT#*',
        'Query RATE#*',
        'GetItem GROUPS',
        ...publishingActions,
        'GetItem SETTINGS',
      ],
      Mfa: [
        ...authenticatingCallers,
        ...itemActions,
        ...itemActions.map((line) => line.replace('U#*', 'E#*')),
        'PutItem OUT#*',
        'DeleteItem PUSH#*',
        'PutItem AUDIT#*',
      ],
      Admin: [
        ...authenticatingCallers,
        ...['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'].map((action) => `${action} INVITES`),
        'GetItem GROUPS',
        'GetItem SETTINGS',
        'UpdateItem SETTINGS',
        'PutItem AUDIT#*',
        'PutItem GROUPS',
        'PutItem OUT#*',
        'DeleteItem PUSH#*',
        'Query AUDIT#*',
        // what its users let administrators read
        'Query FEEDBACK#*',
        'Query RATE#*',
        'Query LIST#*',
        'UpdateItem ASSIST#*',
      ],
      Notifier: [
        'GetItem CONF',
        'GetItem PUSH',
        'GetItem U#*',
        'Query U#*',
        'GetItem PUSH#*',
        'PutItem PUSH#*',
      ],
      Health: [],
      ModelCheck: [],
      ConnectionRefresh: [
        ...catalogueReads,
        'UpdateItem CLIENT#*',
        'DeleteItem REFRESH',
        'GetItem U#*',
        'PutItem REFRESH',
        'Query REFRESH',
        'Query U#*',
        'UpdateItem U#*',
      ],
      Integrations: connectingActions(),
      Oauth: connectingActions(),
      Tools: [
        'GetItem GROUPS',
        ...authenticatingCallers,
        ...itemAndQueryActions,
        ...catalogueReads,
        'BatchWriteItem U#*',
        'UpdateItem CLIENT#*',
        'PutItem REFRESH',
        // schedules
        'GetItem ASSIST#*',
        'DeleteItem DUE#*',
        'PutItem DUE#*',
        'GetItem SETTINGS',
      ],
      ScheduleDispatcher: [
        ...['DeleteItem', 'GetItem', 'PutItem', 'Query'].map((action) => `${action} DUE#*`),
        'GetItem U#*',
        'UpdateItem U#*',
        'GetItem SETTINGS',
      ],
      Registry: [...authenticatingCallers, ...catalogueReads],
      ManualSync: [...authenticatingCallers, ...syncActions],
      RegistrySync: syncActions,
    }
    function replying() {
      return [
        'BatchGetItem ASSIST#*',
        'GetItem ASSIST#*',
        'Query ASSIST#*',
        'UpdateItem USES#*',
        'GetItem GROUPS',
        'GetItem SETTINGS',
        'BatchGetItem PUSH#*',
        'GetItem PUSH#*',
        // the days of a month
        'Query RATE#*',
        ...authenticatingCallers,
        ...itemAndQueryActions,
        ...catalogueReads,
        'BatchGetItem OUT#*',
        'BatchGetItem RATE#*',
        'BatchGetItem U#*',
        'BatchWriteItem U#*',
        'GetItem RATE#*',
        'UpdateItem CLIENT#*',
        'PutItem REFRESH',
      ]
    }
    function connectingActions() {
      return [
        ...authenticatingCallers,
        ...itemAndQueryActions,
        ...catalogueReads,
        'GetItem GROUPS',
        'UpdateItem CLIENT#*',
        'GetItem CLIENT#*',
        'PutItem CLIENT#*',
        'Query CLIENT#*',
        'DeleteItem REFRESH',
        'PutItem REFRESH',
      ]
    }
    const ids = full.resources('api', 'AWS::Lambda::Function').map(({ id }) => id)
    expect(ids.toSorted()).toEqual(Object.keys(expected).toSorted())
    for (const [id, lines] of Object.entries(expected))
      expect([id, listAllowedRows(listRoleStatements('api', id))]).toEqual([
        id,
        [...new Set(lines)].toSorted(),
      ])
    expect(listAllowedRows(listRoleStatements('auth', 'PreSignUp'))).toEqual([
      'GetItem INVITES',
      'GetItem SETTINGS',
      'UpdateItem INVITES',
    ])
    expect(listAllowedRows(listRoleStatements('auth', 'PostConfirmation'))).toEqual([
      'DeleteItem INVITES',
      'DeleteItem PUSH#*',
      'GetItem INVITES',
      'GetItem OUT#*',
      'GetItem SETTINGS',
      'PutItem OUT#*',
    ])
    expect(listAllowedRows(listRoleStatements('auth', 'CustomMessage'))).toEqual(['GetItem CONF'])
    expect(listAllowedRows(listRoleStatements('auth', 'PreTokenGeneration'))).toEqual([
      'GetItem GROUPS',
      'UpdateItem RATE#*',
    ])
  })

  it('DEC-067 only the syncs write the catalogue; the functions that users call read it', () => {
    const ids = full.resources('api', 'AWS::Lambda::Function').map(({ id }) => id)
    const writers = ids.filter((id) =>
      listAllowedRows(listRoleStatements('api', id)).some((line) =>
        /^(Put|Update|Delete|BatchWrite)Item REG#/.test(line),
      ),
    )
    expect(writers.toSorted()).toEqual(['ManualSync', 'RegistrySync'])
    const catalogueRows = listAllowedRows(listRoleStatements('api', 'Registry')).filter((line) =>
      line.includes('REG#'),
    )
    expect(catalogueRows).toEqual(['GetItem REG#*'])
  })

  it('finds a statement without keys, with every key, or that an absent key satisfies (M7)', () => {
    const validStatement = allowRows('dynamodb:GetItem', ['CONF'])
    expect(findStatementsWithoutRows([validStatement])).toEqual([])
    const faults = [
      allow('dynamodb:GetItem', 'data/Table.Arn'),
      allowRows('dynamodb:GetItem', ['CONF', '*']),
      allowRows('dynamodb:Scan', ['CONF']),
      { ...validStatement, Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['CONF'] } } },
    ]
    for (const fault of faults) expect(findStatementsWithoutRows([fault])).toEqual([fault])
  })
})

interface Statement {
  readonly Action: string | readonly string[]
  readonly Effect: string
  readonly Resource?: string | readonly string[]
  readonly Condition?: unknown
}

/** Every role of a stack, with all statements that allow it something, inline or attached. */
function listRoles(synthesised: Synthesised, stack: StackName) {
  const toDocuments = (policies: unknown) =>
    (policies ?? []) as { PolicyDocument: { Statement: Statement[] } }[]
  const policies = synthesised.resources(stack, 'AWS::IAM::Policy')
  return synthesised.resources(stack, 'AWS::IAM::Role').map(({ id, Properties }) => ({
    id,
    trustedPrincipals: (
      Properties['AssumeRolePolicyDocument'] as { Statement: { Principal: unknown }[] }
    ).Statement.map(({ Principal }) => Principal),
    managed: (Properties['ManagedPolicyArns'] ?? []) as string[],
    statements: [
      ...toDocuments(Properties['Policies']),
      ...toDocuments(
        policies
          .filter((policy) => (policy.Properties['Roles'] as string[]).includes(`${stack}/${id}`))
          .map((policy) => policy.Properties),
      ),
    ].flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
  }))
}

const toArray = (value: string | readonly string[] | undefined) => [value ?? []].flat()

/** Actions without resources in IAM, and why they are needed. */
const actionsWithoutResource = new Map([
  // “XRay has no service-defined resources” (Service Authorization Reference)
  ['xray:PutTelemetryRecords', 'functions tell X-Ray how the sending of traces went'],
  ['xray:PutTraceSegments', 'functions write traces'],
])

describe.each(Object.entries(configurations))('every role: %s', (_, context) => {
  const synthesised = synthesise(context)
  const roles = (Object.keys(synthesised.templates) as StackName[]).flatMap((stack) =>
    listRoles(synthesised, stack).map((role) => ({ ...role, name: `${stack}/${role.id}` })),
  )
  const statements = roles.flatMap((role) =>
    role.statements
      .filter(
        (statement) =>
          role.name !== 'api/DocumentParserRole' ||
          !connectStatements.some((one) => isDeepStrictEqual(one, statement)),
      )
      .map((statement) => ({ role: role.name, statement })),
  )

  it('INFRA-18 the test reads every policy', () => {
    const otherPolicies = Object.values(synthesised.templates).flatMap((template) => [
      ...Object.values(template.findResources('AWS::IAM::ManagedPolicy')),
      ...Object.values(template.findResources('AWS::IAM::User')),
      ...Object.values(template.findResources('AWS::IAM::Group')),
      ...Object.values(template.findResources('AWS::IAM::RolePolicy')),
    ])
    expect(otherPolicies).toEqual([])
    expect(roles.length).toBeGreaterThan(17)
    expect(statements.length).toBeGreaterThan(50)
    expect(roles.filter((role) => role.statements.length + role.managed.length === 0)).toEqual([])
  })

  it('INFRA-18 allows, and names each action in full', () => {
    const tooBroad = statements.filter(
      ({ statement }) =>
        statement.Effect !== 'Allow' ||
        'NotAction' in statement ||
        toArray(statement.Action).some((action) => !/^[a-z0-9-]+:[A-Za-z]+$/.test(action)),
    )
    expect(tooBroad).toEqual([])
  })

  it('INFRA-18 names its resources, except for actions without any', () => {
    const tooBroad = statements.filter(
      ({ statement }) =>
        'NotResource' in statement ||
        toArray(statement.Resource).length === 0 ||
        (toArray(statement.Resource).some(
          (resource) =>
            // a profile that spans regions calls its model in any of them, only through this profile
            !(
              /:bedrock:\*::foundation-model\/[\w.:-]+$/.test(resource) &&
              JSON.stringify(statement.Condition ?? '').includes('bedrock:InferenceProfileArn')
            ) && /\*/.test(resource.replace(/[\w>]\/\*(\.zip|\/[\w-]+)?$/, '')),
        ) &&
          !toArray(statement.Action).every((action) => actionsWithoutResource.has(action))),
    )
    expect(tooBroad).toEqual([])
  })

  it('names its rows, and only the deployment writes the site configuration (M7)', () => {
    expect(findStatementsWithoutRows(statements.map(({ statement }) => statement))).toEqual([])
    const reads = ['BatchGetItem', 'GetItem', 'Query']
    const rolesWritingSiteConfig = roles.filter((role) =>
      listAllowedRows(role.statements).some((line) => {
        const [action = '', partition = ''] = line.split(/ (.*)/)
        return !reads.includes(action) && matchesPattern('CONF', partition)
      }),
    )
    expect(rolesWritingSiteConfig.map(({ name }) => name)).toEqual(['web/SiteFactsRole'])
  })

  it('INFRA-18 is assumed by one service, and has no AWS-managed policy, except API Gateway’s logging role', () => {
    for (const { name, trustedPrincipals } of roles)
      expect([name, trustedPrincipals]).toEqual([
        name,
        [{ Service: expect.stringMatching(/^(lambda|scheduler|apigateway|codedeploy)\.amazonaws\.com$/) }],
      ])
    expect(
      roles.filter(({ managed }) => managed.length > 0).map(({ name, managed }) => [name, managed]),
    ).toEqual([
      [
        'api/ApiCloudWatchRole',
        ['arn:<Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'],
      ],
    ])
  })
})
