import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { synthesise, type StackName, type Synthesised } from './synthesised.ts'

const app = synthesise()
const full = synthesise({
  sesSender: 'hello@example.org',
  githubTokenSecretName: 'team/github',
  providerAppsSecretName: 'team/apps',
  googleClientId: 'id',
  googleSecretName: 'team/google',
})

const allow = (action: string | string[], resource: string | string[]) => ({
  Action: action,
  Effect: 'Allow',
  Resource: resource,
})
/** What every function may: write its own log, and its traces, for which IAM knows no resource. */
const everyFunction = (stack: StackName, id: string) => [
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], `${stack}/${id}Logs.Arn`),
  allow(['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*'),
]
const conversations = allow(
  [
    'dynamodb:BatchGetItem',
    'dynamodb:BatchWriteItem',
    'dynamodb:DeleteItem',
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:Query',
    'dynamodb:UpdateItem',
  ],
  'data/Table.Arn',
)
const rowsOf = (partition: string) => ({
  'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [partition] },
})

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What IAM calls the commands of the SDK that the product sends. */
const actionsOf: Readonly<Record<string, string | readonly string[]>> = {
  AdminDeleteUser: 'cognito-idp:AdminDeleteUser',
  BatchGet: 'dynamodb:BatchGetItem',
  BatchWrite: 'dynamodb:BatchWriteItem',
  CopyObject: ['s3:GetObject', 's3:PutObject'],
  CreateSecret: 'secretsmanager:CreateSecret',
  DeleteObjects: 's3:DeleteObject',
  GetObject: 's3:GetObject',
  PutObject: 's3:PutObject',
  Delete: 'dynamodb:DeleteItem',
  DeleteSecret: 'secretsmanager:DeleteSecret',
  Get: 'dynamodb:GetItem',
  GetSecretValue: 'secretsmanager:GetSecretValue',
  ListUsers: 'cognito-idp:ListUsers',
  Put: 'dynamodb:PutItem',
  Query: 'dynamodb:Query',
  Update: 'dynamodb:UpdateItem',
}

/** Commands that the caller's own access token allows, and no role. */
const allowedByToken = new Set([
  'AssociateSoftwareToken',
  'GetUser',
  'GlobalSignOut',
  'SetUserMFAPreference',
  'VerifySoftwareToken',
])

/** The actions that the modules of a function send commands for, read from the sources that go into its bundle. */
async function actionsInCode(entry: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`functions/${entry}`],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  const sources = Object.keys(metafile.inputs).map((path) => readFileSync(`${root}/${path}`, 'utf8'))
  const commands = sources.flatMap((source) =>
    [...source.matchAll(/new (\w+)Command\(/g)].map(([, name]) => name ?? ''),
  )
  const byRole = commands.filter((name) => !allowedByToken.has(name))
  const actions = byRole.flatMap((name) => {
    const action = actionsOf[name]
    if (!action) throw new Error(`${entry} sends ${name}Command: which action is that?`)
    return action
  })
  return [...new Set(actions)].toSorted()
}

/** The actions that a function's role allows, without what every function does (log, trace) and what Lambda does for it (the queue). */
function actionsGranted(stack: StackName, id: string): string[] {
  const statements = full.statementsOf(stack, id) as { Action: string | string[] }[]
  const actions = statements.flatMap(({ Action }) => Action)
  return [...new Set(actions.filter((action) => !/^(logs|sqs|xray):/.test(action)))].toSorted()
}

/** Roles that more than one function has, or that carry a policy of somebody else's making. */
function loosely(synthesised: Synthesised, stack: StackName) {
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

const vault = 'arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:juno-dev/vault/*'

describe('least privilege', () => {
  it.each(['auth', 'api'] as const)(
    'INFRA-18 every function of %s has a role of its own, without managed policies',
    (stack) => {
      expect(full.resources(stack, 'AWS::Lambda::Function').length).toBeGreaterThan(1)
      expect(loosely(full, stack)).toEqual({ shared: [], managed: [] })
    },
  )

  it('INFRA-18 the check sees a managed policy: the library’s own helpers in the web stack have one', () => {
    expect(loosely(full, 'web').managed).not.toEqual([])
  })

  it.each([
    ['api', 'Chat', 'chat/handlers.ts'],
    ['api', 'Sessions', 'sessions/handlers.ts'],
    ['api', 'Files', 'files/handlers.ts'],
    ['api', 'Documents', 'documents/handlers.ts'],
    ['api', 'Account', 'account/handlers.ts'],
    ['api', 'Mfa', 'mfa/handlers.ts'],
    ['api', 'RegistrySync', 'registry/daily-sync.ts'],
    ['api', 'Integrations', 'integrations/handlers.ts'],
    ['api', 'Oauth', 'integrations/oauth-handlers.ts'],
    ['api', 'Registry', 'registry/handlers.ts'],
    ['api', 'Tools', 'tools/handlers.ts'],
    ['api', 'ManualSync', 'registry/manual-sync.ts'],
    ['auth', 'PreSignUp', 'sign-in/pre-sign-up.ts'],
    ['auth', 'CustomMessage', 'sign-in/custom-message.ts'],
  ] as const)('INFRA-18 %s/%s may do exactly what the code of %s does', async (stack, id, entry) => {
    const used = await actionsInCode(entry)
    expect(used).not.toEqual([])
    expect(actionsGranted(stack, id)).toEqual(used)
  })

  it('INFRA-18 chat: conversations, their files, the key of the model, and what people have connected', () => {
    expect(app.statementsOf('api', 'Chat')).toEqual([
      ...everyFunction('api', 'Chat'),
      conversations,
      allow('secretsmanager:GetSecretValue', ['data/ModelKey', 'data/SealingKey', vault]),
      allow(['s3:DeleteObject', 's3:GetObject', 's3:PutObject'], 'data/Uploads.Arn/users/*'),
    ])
  })

  it('INFRA-18 sessions: conversations, and their files, which go with them', () => {
    expect(app.statementsOf('api', 'Sessions')).toEqual([
      ...everyFunction('api', 'Sessions'),
      conversations,
      allow(['s3:DeleteObject', 's3:GetObject'], 'data/Uploads.Arn/users/*'),
    ])
  })

  it('INFRA-18 files: what arrives and what is kept; documents: what is kept, and the rows that name it', () => {
    const rows = allow(
      [
        'dynamodb:DeleteItem',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:Query',
        'dynamodb:UpdateItem',
      ],
      'data/Table.Arn',
    )
    const all = ['s3:DeleteObject', 's3:GetObject', 's3:PutObject']
    expect(app.statementsOf('api', 'Files')).toEqual([
      ...everyFunction('api', 'Files'),
      rows,
      allow(all, ['data/Uploads.Arn/incoming/*', 'data/Uploads.Arn/users/*']),
    ])
    expect(app.statementsOf('api', 'Documents')).toEqual([
      ...everyFunction('api', 'Documents'),
      allow(['dynamodb:GetItem', 'dynamodb:UpdateItem'], 'data/Table.Arn'),
      allow(['s3:GetObject', 's3:PutObject'], 'data/Uploads.Arn/users/*'),
    ])
  })

  it('INFRA-18 account: everything of a person in the table and the store, and their account', () => {
    expect(app.statementsOf('api', 'Account')).toEqual([
      ...everyFunction('api', 'Account'),
      conversations,
      allow('s3:DeleteObject', 'data/Uploads.Arn/incoming/*'),
      allow(['s3:DeleteObject', 's3:GetObject'], 'data/Uploads.Arn/users/*'),
      allow('cognito-idp:AdminDeleteUser', 'auth/UserPool.Arn'),
      allow(['secretsmanager:DeleteSecret', 'secretsmanager:GetSecretValue'], vault),
      allow('secretsmanager:GetSecretValue', 'data/SealingKey'),
    ])
    expect(full.statementsOf('api', 'Account').at(-1)).toEqual(
      allow('secretsmanager:GetSecretValue', [
        'data/SealingKey',
        'arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:team/apps-??????',
      ]),
    )
  })

  it('INFRA-18 two-factor: single rows, and the key that seals them; the user pool by the caller’s token alone', () => {
    expect(app.statementsOf('api', 'Mfa')).toEqual([
      ...everyFunction('api', 'Mfa'),
      allow(
        ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
        'data/Table.Arn',
      ),
      allow('secretsmanager:GetSecretValue', 'data/SealingKey'),
    ])
  })

  it('INFRA-18 health: nothing but its log and its traces', () => {
    expect(app.statementsOf('api', 'Health')).toEqual(everyFunction('api', 'Health'))
  })

  it('INFRA-18 registry sync: its record and the queue of what failed, and a token where there is one', () => {
    const rows = {
      ...allow(
        ['dynamodb:BatchWriteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
        'data/Table.Arn',
      ),
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SYNC', 'REG#*'] } },
    }
    const queue = allow(
      ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
      'api/FailedSyncs.Arn',
    )
    expect(app.statementsOf('api', 'RegistrySync')).toEqual([
      ...everyFunction('api', 'RegistrySync'),
      rows,
      queue,
    ])
    expect(full.statementsOf('api', 'RegistrySync')).toEqual([
      ...everyFunction('api', 'RegistrySync'),
      rows,
      allow(
        'secretsmanager:GetSecretValue',
        'arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:team/github-??????',
      ),
      queue,
    ])
  })

  it('INFRA-18 integrations: rows, the secrets of their own part of the vault, and the sealing key', () => {
    for (const id of ['Integrations', 'Oauth'])
      expect(app.statementsOf('api', id)).toEqual([
        ...everyFunction('api', id),
        allow(
          [
            'dynamodb:DeleteItem',
            'dynamodb:GetItem',
            'dynamodb:PutItem',
            'dynamodb:Query',
            'dynamodb:UpdateItem',
          ],
          'data/Table.Arn',
        ),
        allow(
          ['secretsmanager:CreateSecret', 'secretsmanager:DeleteSecret', 'secretsmanager:GetSecretValue'],
          vault,
        ),
        allow('secretsmanager:GetSecretValue', 'data/SealingKey'),
      ])
  })

  it('INFRA-18 tools: rows, and the secrets of the vault to be read', () => {
    const statements = app.statementsOf('api', 'Tools')
    expect(statements).toContainEqual(allow('secretsmanager:GetSecretValue', ['data/SealingKey', vault]))
    expect(JSON.stringify(statements)).not.toMatch(/CreateSecret|DeleteSecret|s3:/)
  })

  it('INFRA-18 DEC-067 the catalogue is written by syncs only', () => {
    const keys = ['SYNC', 'REG#*', 'RATE#*', 'OUT#*', 'CONF']
    const rows = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } }
    expect(app.statementsOf('api', 'Registry')).toEqual([
      ...everyFunction('api', 'Registry'),
      { ...allow(['dynamodb:GetItem', 'dynamodb:UpdateItem'], 'data/Table.Arn'), Condition: rows },
    ])
  })

  it('INFRA-18 triggers: accounts of this pool, and the facts about the site', () => {
    expect(full.statementsOf('auth', 'PreSignUp')).toEqual([
      ...everyFunction('auth', 'PreSignUp'),
      allow('cognito-idp:ListUsers', 'auth/UserPool.Arn'),
    ])
    expect(full.statementsOf('auth', 'CustomMessage')).toEqual([
      ...everyFunction('auth', 'CustomMessage'),
      { ...allow('dynamodb:GetItem', 'data/Table.Arn'), Condition: rowsOf('CONF') },
    ])
  })

  it('INFRA-18 the writer of the facts about the site may put that row only', () => {
    const policy = app
      .resources('web', 'AWS::IAM::Policy')
      .find(({ id }) => id === 'SiteFactsCustomResourcePolicy')
    expect(policy?.Properties['PolicyDocument']).toEqual({
      Statement: [{ ...allow('dynamodb:PutItem', 'data/Table.Arn'), Condition: rowsOf('CONF') }],
      Version: '2012-10-17',
    })
  })

  it('INFRA-18 the schedule may start the sync and report what it could not start', () => {
    const policy = app.resources('api', 'AWS::IAM::Policy').find(({ id }) => id.startsWith('SchedulerRole'))
    expect(policy?.Properties['PolicyDocument']).toMatchObject({
      Statement: [
        allow('lambda:InvokeFunction', ['api/RegistrySync.Arn', 'api/RegistrySync.Arn:*']),
        allow('sqs:SendMessage', 'api/FailedSyncs.Arn'),
      ],
    })
  })
})
