import { createHash } from 'node:crypto'
import { collectReferences, deployOrder, type ReferencesByStack } from './references.ts'
import type { Resource, Synthesised } from './synthesised.ts'

/**
 * Types of resources whose replacement loses users' data, or an address or id that others have stored; and the properties whose change
 * replaces them or loses their content: "Update requires: Replacement" of each property in
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/, and what the comments say.
 */
const statefulTypes: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification'],
  'AWS::S3::Bucket': ['BucketName'],
  // Cognito cannot change these in an existing pool, so an update fails: docs, "Working with user attributes"
  'AWS::Cognito::UserPool': ['UsernameAttributes', 'AliasAttributes', 'UsernameConfiguration', 'Schema'],
  // a new client id signs everybody out
  'AWS::Cognito::UserPoolClient': ['UserPoolId', 'GenerateSecret'],
  // its address is entered at Google
  'AWS::Cognito::UserPoolDomain': ['UserPoolId', 'Domain'],
  'AWS::Cognito::UserPoolIdentityProvider': ['UserPoolId', 'ProviderName', 'ProviderType'],
  // another way of generating creates another value, without a replacement
  'AWS::SecretsManager::Secret': ['Name', 'GenerateSecretString'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
  // the site's address, if it has no domain
  'AWS::CloudFront::Distribution': [],
}

export interface StatefulResource {
  readonly type: string
  readonly deletionPolicy?: string
  readonly updateReplacePolicy?: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** What an upgrade depends on in the deployed templates. */
export interface ReleaseDigest {
  readonly references: ReferencesByStack
  /** by stack and logical id */
  readonly stateful: Readonly<Record<string, Readonly<Record<string, StatefulResource>>>>
}

export function digestRelease(app: Synthesised): ReleaseDigest {
  const references = collectReferences(app)
  const stateful = deployOrder
    .filter((stack) => references[stack])
    .map((stack) => {
      const resources = app.templates[stack].toJSON()['Resources'] as Record<string, Resource>
      const found = Object.entries(resources).flatMap(([logicalId, resource]) => {
        const properties = statefulTypes[resource.Type]
        return properties ? [[logicalId, digestResource(resource, properties)] as const] : []
      })
      return [stack, Object.fromEntries(found)] as const
    })
  return { references: hashExports(references), stateful: Object.fromEntries(stateful) }
}

function digestResource(
  { Type, DeletionPolicy, UpdateReplacePolicy, Properties }: Resource,
  names: readonly string[],
): StatefulResource {
  return {
    type: Type,
    ...(DeletionPolicy && { deletionPolicy: DeletionPolicy }),
    ...(UpdateReplacePolicy && { updateReplacePolicy: UpdateReplacePolicy }),
    properties: Object.fromEntries(
      names.flatMap((name) => (Properties?.[name] === undefined ? [] : [[name, Properties[name]]])),
    ),
  }
}

/** Export values are only compared. */
function hashExports(references: ReferencesByStack): ReferencesByStack {
  const hash = (value: unknown) =>
    createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
  return Object.fromEntries(
    Object.entries(references).map(([stack, one]) => [
      stack,
      {
        ...one,
        exports: Object.fromEntries(Object.entries(one.exports).map(([name, value]) => [name, hash(value)])),
      },
    ]),
  )
}

/** Finds what an update to the newer templates would replace, delete, lose or leave unprotected. */
export function findLosses(before: ReleaseDigest, after: ReleaseDigest): string[] {
  return Object.entries(before.stateful).flatMap(([stack, resources]) =>
    Object.entries(resources).flatMap(([logicalId, old]) => {
      const next = after.stateful[stack]?.[logicalId]
      const name = `${stack} ${logicalId} (${old.type})`
      if (next?.type !== old.type) return [`${name} is deleted`]
      return [
        ...changedProperties(old, next).map((property) => `${name} changes ${property}`),
        ...(old.deletionPolicy?.startsWith('Retain') && !next.deletionPolicy?.startsWith('Retain')
          ? [`${name} is not retained any more`]
          : []),
        ...(old.updateReplacePolicy === 'Retain' && next.updateReplacePolicy !== 'Retain'
          ? [`${name} is not retained when it is replaced any more`]
          : []),
      ]
    }),
  )
}

function changedProperties(old: StatefulResource, next: StatefulResource): string[] {
  const names = new Set([...Object.keys(old.properties), ...Object.keys(next.properties)])
  return [...names].filter((name) => {
    const [before, after] = [old.properties[name], next.properties[name]]
    // a pool may gain attributes, but not lose or change any
    if (name === 'Schema' && Array.isArray(before) && Array.isArray(after)) {
      const currentAttributes = new Set(after.map((attribute) => JSON.stringify(attribute)))
      return before.some((attribute) => !currentAttributes.has(JSON.stringify(attribute)))
    }
    return JSON.stringify(before) !== JSON.stringify(after)
  })
}
