import { describe, expect, it } from 'vitest'
import { variants, configurations } from './configurations.ts'
import { synthesise, type Synthesised } from './synthesised.ts'

const inSecrets = synthesise()
const inTable = synthesise(variants['the vault in the table'])
/** The functions that read submitted credentials, delete them, and store them. */
const readers = ['Chat', 'ConnectionRefresh', 'ScheduleWorker', 'Tools']
const removers = ['Account']
const makers = ['Integrations', 'Oauth']

interface Statement {
  readonly Action: string | string[]
  readonly Resource: string | string[]
}

const toArray = (value: string | string[]) => [value].flat()

/** The permissions of all functions for a service, by function. */
function listActions(app: Synthesised, service: string): Record<string, string[]> {
  const found = app.resources('api', 'AWS::Lambda::Function').map(({ id }) => {
    const actions = (app.listStatements('api', id) as Statement[]).flatMap(({ Action }) => toArray(Action))
    return [
      id,
      [...new Set(actions.filter((action) => action.startsWith(`${service}:`)))].toSorted(),
    ] as const
  })
  return Object.fromEntries(found.filter(([, actions]) => actions.length > 0))
}

/** The secrets on which a function may perform an action. */
const secretsFor = (app: Synthesised, id: string, action: string) =>
  (app.listStatements('api', id) as Statement[])
    .filter(({ Action }) => toArray(Action).includes(`secretsmanager:${action}`))
    .flatMap(({ Resource }) => toArray(Resource))

const listFunctionsWithTableVault = (app: Synthesised) =>
  app
    .resources('api', 'AWS::Lambda::Function')
    .filter(({ Properties }) => JSON.stringify(Properties['Environment'] ?? {}).includes('"VAULT":"table"'))
    .map(({ id }) => id)
    .toSorted()

describe('the vault in Secrets Manager', () => {
  it('INFRA-06 is the default of a stage: no key of its own, no setting', () => {
    expect(inSecrets.resources('data', 'AWS::KMS::Key')).toEqual([])
    const { Properties } = inSecrets.named('data', 'AWS::SecretsManager::Secret', 'SealingKey')
    expect(Properties).not.toHaveProperty('KmsKeyId')
    expect(listFunctionsWithTableVault(inSecrets)).toEqual([])
    expect(inSecrets.outputs('api')).toMatchObject({ Vault: 'secrets', VaultPrefix: 'juno-dev/vault' })
    expect(inSecrets.outputs('data')).toMatchObject({ SealingKeySecret: 'data/SealingKey' })
  })

  it('INFRA-18 lets the functions that connect create secrets, below its own prefix', () => {
    const creators = Object.entries(listActions(inSecrets, 'secretsmanager'))
      .filter(([, actions]) => actions.includes('secretsmanager:CreateSecret'))
      .map(([id]) => id)
    expect(creators.toSorted()).toEqual(makers)
    for (const id of makers)
      expect(secretsFor(inSecrets, id, 'CreateSecret')).toEqual([
        'arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:juno-dev/vault/*',
      ])
  })
})

describe('the vault in the table', () => {
  it('INFRA-06 is passed to every function that reads, deletes or stores submitted credentials, and to no other', () => {
    expect(listFunctionsWithTableVault(inTable)).toEqual([...makers, ...readers, ...removers].toSorted())
    expect(inTable.outputs('api')).toMatchObject({ Vault: 'table', VaultPrefix: 'juno-dev/vault' })
  })

  it('INFRA-18 lets no function create or change a secret; older ones are read and deleted as before', () => {
    expect(JSON.stringify(listActions(inTable, 'secretsmanager'))).not.toMatch(/Create|Put|Update|List/)
    for (const id of [...makers, ...readers, ...removers])
      for (const action of ['GetSecretValue', 'DeleteSecret'])
        expect(secretsFor(inTable, id, action).toSorted(), `${id} ${action}`).toEqual(
          secretsFor(inSecrets, id, action).toSorted(),
        )
    // nothing else changes
    expect({ ...listActions(inTable, 'dynamodb') }).toEqual({ ...listActions(inSecrets, 'dynamodb') })
  })

  it('INFRA-06 seals with its own key, which is rotated each year and outlives the stack', () => {
    const key = inTable.only('data', 'AWS::KMS::Key')
    expect(key).toMatchObject({ DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } })
    const secret = inTable.named('data', 'AWS::SecretsManager::Secret', 'SealingKey')
    expect(secret.Properties).toMatchObject({
      KmsKeyId: 'data/VaultKey.Arn',
      // a changed value would make CloudFormation generate a new sealing key, and all sealed data would be lost
      GenerateSecretString: inSecrets.named('data', 'AWS::SecretsManager::Secret', 'SealingKey').Properties[
        'GenerateSecretString'
      ],
    })
    expect(secret.logicalId).toBe(
      inSecrets.named('data', 'AWS::SecretsManager::Secret', 'SealingKey').logicalId,
    )
  })

  it('INFRA-18 opens the key through Secrets Manager only, for callers of this account', () => {
    const { Properties } = inTable.only('data', 'AWS::KMS::Key')
    const { Statement: statements } = Properties['KeyPolicy'] as { Statement: Record<string, unknown>[] }
    const root = { AWS: 'arn:<Partition>:iam::<AccountId>:root' }
    const [rootStatement, ...others] = statements
    expect(rootStatement).toMatchObject({ Action: 'kms:*', Principal: root })
    expect(others.length).toBeGreaterThan(0)
    for (const { Condition } of others)
      expect(Condition).toMatchObject({
        StringEquals: { 'kms:ViaService': 'secretsmanager.<Region>.amazonaws.com' },
      })
    const openToAll = others.filter(({ Principal }) => JSON.stringify(Principal) === '{"AWS":"*"}')
    expect(openToAll).toEqual([
      expect.objectContaining({
        Action: 'kms:Decrypt',
        Condition: {
          StringEquals: {
            'kms:CallerAccount': '<AccountId>',
            'kms:ViaService': 'secretsmanager.<Region>.amazonaws.com',
          },
        },
      }),
    ])
    expect(listActions(inTable, 'kms')).toEqual({})
  })

  it('can be deployed and undone: the stacks exchange nothing that only one mode has', () => {
    const listExports = (app: Synthesised) =>
      Object.keys(app.templates.data.toJSON()['Outputs'] as object)
        .filter((id) => id.startsWith('ExportsOutput'))
        .toSorted()
    expect(listExports(inTable)).toEqual(listExports(inSecrets))
  })

  it('a disposable stage deletes the key too', () => {
    const key = synthesise(configurations['second of two stages']).only('data', 'AWS::KMS::Key')
    expect(key.DeletionPolicy).toBe('Delete')
  })
})
