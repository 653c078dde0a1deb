import { createHash } from 'node:crypto'
import type { StackLocation } from '../doctor/stacks.ts'
import type { Environment } from './bootstrap-role.ts'

/** A template of CloudFormation, as far as it is read here. */
export interface Template {
  readonly Parameters?: Readonly<Record<string, { Type?: string }>>
  readonly Resources?: Readonly<Record<string, TemplateResource>>
  readonly Outputs?: Readonly<
    Record<string, { readonly Value?: unknown; readonly Export?: { Name?: unknown } }>
  >
}

interface TemplateResource {
  readonly Type: string
  readonly DeletionPolicy?: string
}

/**
 * Parses a template in JSON. CloudFormation returns '?' for characters outside of ASCII, so the file that was deployed gets the same.
 * @see https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/814
 * @throws SyntaxError
 */
export const parseTemplate = (text: string): Template =>
  JSON.parse(text.replaceAll(/[\u{80}-\u{10ffff}]/gu, '?')) as Template

/** A hash that is the same for the same content, whatever the order of its keys. @returns 64 hexadecimal digits */
export const hashTemplate = (template: Template): string =>
  createHash('sha256')
    .update(JSON.stringify(template, (_, value: unknown) => (isObject(value) ? sortKeys(value) : value)))
    .digest('hex')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sortKeys = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** An object of S3 that a template names: the code of functions and layers, the site. */
export interface Asset {
  readonly bucket: string
  readonly key: string
}

/** The assets that a template names, each once. @param environment of its stack */
export function listAssets(template: Template, environment: Environment): Asset[] {
  const resolve = (bucket: unknown) => {
    const name = isObject(bucket) ? bucket['Fn::Sub'] : bucket
    return typeof name === 'string'
      ? name
          .replaceAll('${AWS::AccountId}', environment.account)
          .replaceAll('${AWS::Region}', environment.region)
      : undefined
  }
  const assets = new Map<string, Asset>()
  const add = (bucket: unknown, key: unknown) => {
    const name = resolve(bucket)
    if (name !== undefined && typeof key === 'string') assets.set(`${name}/${key}`, { bucket: name, key })
  }
  visit(template, (value) => {
    add(value['S3Bucket'], value['S3Key'])
    const { SourceBucketNames: buckets, SourceObjectKeys: keys } = value
    if (Array.isArray(buckets) && Array.isArray(keys))
      for (const [at, key] of keys.entries()) add(buckets[at], key)
  })
  return [...assets.values()]
}

/** Calls back for each object in a value, at any depth. */
function visit(value: unknown, call: (value: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, call)
  else if (isObject(value)) {
    call(value)
    for (const each of Object.values(value)) visit(each, call)
  }
}

const listExports = ({ Outputs = {} }: Template) =>
  new Set(
    Object.values(Outputs).flatMap(({ Export }) => (typeof Export?.Name === 'string' ? Export.Name : [])),
  )

function listImports(template: Template): Set<string> {
  const names = new Set<string>()
  visit(template, ({ 'Fn::ImportValue': name }) => {
    if (typeof name === 'string') names.add(name)
  })
  return names
}

/** A stack with the template that is deployed and the one that will be. */
export interface StackChange extends StackLocation {
  readonly deployed: Template
  readonly target: Template
}

/**
 * Orders the updates of a rollback: against the order of deployment, so that the product passes through the combinations of stacks that the
 * deployment passed through, and no export is removed that a stack still imports. A stack that exports what another one will import, and
 * does not yet find, goes before it.
 * @param changes in the order of deployment
 * @returns undefined if two stacks have to wait for each other
 * @see https://github.com/aws/aws-cdk/issues/7602
 */
export function orderChanges(changes: readonly StackChange[]): StackChange[] | undefined {
  const rest = changes.toReversed()
  const ordered: StackChange[] = []
  while (rest.length > 0) {
    const next = rest.findIndex((one) => rest.every((other) => other === one || !waitsFor(one, other)))
    if (next === -1) return undefined
    ordered.push(...rest.splice(next, 1))
  }
  return ordered
}

function waitsFor(one: StackChange, other: StackChange): boolean {
  const isLost = (name: string) => listExports(one.deployed).has(name) && !listExports(one.target).has(name)
  const isNew = (name: string) =>
    listExports(other.target).has(name) && !listExports(other.deployed).has(name)
  return [...listImports(other.deployed)].some(isLost) || [...listImports(one.target)].some(isNew)
}

/** Types of resources that hold data, or whose address is known outside. */
const statefulTypes = new Set([
  'AWS::ApiGateway::RestApi',
  'AWS::CloudFront::Distribution',
  'AWS::Cognito::UserPool',
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::KMS::Key',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
])

/** What a change removes that cannot be made again from the templates. */
export const listRemovedData = ({ deployed, target }: StackChange): { id: string; isRetained: boolean }[] =>
  Object.entries(deployed.Resources ?? {})
    .filter(([id, { Type }]) => statefulTypes.has(Type) && target.Resources?.[id]?.Type !== Type)
    .map(([id, { Type, DeletionPolicy }]) => ({
      id: `${id} (${Type})`,
      isRetained: DeletionPolicy?.startsWith('Retain') ?? false,
    }))
