import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { CloudAssembly, type CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { addStacks } from '../../infra/aws/stacks.ts'

const cdkJson = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as {
  app: string
  build: string
  context: Record<string, unknown>
}

export { cdkJson }

const stackNames = ['data', 'auth', 'api', 'web', 'edge'] as const
export type StackName = (typeof stackNames)[number]

export interface Resource {
  readonly Type: string
  readonly Properties: Record<string, unknown>
  readonly DeletionPolicy?: string
  readonly UpdateReplacePolicy?: string
  readonly DependsOn?: readonly string[]
}

function scratch(): string {
  const folder = process.env['INFRA_SCRATCH']
  if (!folder) throw new Error('INFRA_SCRATCH names no folder (scratch.ts)')
  return folder
}
const folders: string[] = []

/** A temporary folder, deleted after the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(scratch(), 'folder-'))
  folders.push(folder)
  return folder
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** A built site in a temporary folder: the stacks depend on its file names only. */
export function createSite(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'assets'))
  mkdirSync(join(folder, '.vite'))
  for (const [name, content] of Object.entries({
    'index.html': '<!doctype html>',
    'favicon.svg': '<svg/>',
    'assets/index-abc123.js': '',
    '.vite/manifest.json': '{}',
  })) {
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** The context that `npx cdk` would pass, without bundling: templates do not depend on the bundles' contents. */
export const contextWith = (context: Record<string, unknown>) => ({
  ...cdkJson.context,
  'aws:cdk:bundling-stacks': [],
  ...context,
})

/**
 * The stacks of a configuration. It is synthesised once in a run of the tests: the worker that needs it first leaves its assembly in the
 * scratch folder. The edge stack is there where the context needs it.
 */
export function synthesise(context: Record<string, unknown> = {}): Synthesised {
  const folder = assemblyFolder(context)
  if (!existsSync(folder)) synthesiseApp(context)
  return read(folder)
}

function assemblyFolder(context: Record<string, unknown>): string {
  const key = JSON.stringify(Object.entries(context).toSorted(([a], [b]) => a.localeCompare(b)))
  return join(scratch(), createHash('sha256').update(key).digest('hex').slice(0, 16))
}

/** Synthesises the whole app in this process, without a network. @returns its constructs */
export function synthesiseApp(context: Record<string, unknown>): App {
  const outdir = temporaryFolder()
  const app = new App({
    context: { ...contextWith(context), 'aws:cdk:disable-creation-stack-traces': true },
    outdir,
    // app.test.ts lets the CDK validate the templates, which takes seconds
    builtinCloudFormationValidation: false,
    // with the traces of the context a fifth of the time, and no template needs them
    treeMetadata: false,
    stackTraces: false,
  })
  const connect = Object.getOwnPropertyDescriptor(Socket.prototype, 'connect') ?? {}
  Object.defineProperty(Socket.prototype, 'connect', {
    ...connect,
    value: () => {
      throw new Error('a synthesis uses no network')
    },
  })
  try {
    addStacks(app, { siteFolder: createSite() })
    app.synth()
  } finally {
    Object.defineProperty(Socket.prototype, 'connect', connect)
  }
  // the layer with the AWS CLI, which the CDK uploads files with: 22 MB each time
  for (const name of readdirSync(outdir)) if (name.endsWith('.zip')) rmSync(join(outdir, name))
  try {
    renameSync(outdir, assemblyFolder(context))
  } catch (error) {
    // another worker was first
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
  return app
}

function read(folder: string) {
  const assembly = new CloudAssembly(folder)
  const stacks = Object.fromEntries(
    stackNames.flatMap((name) => {
      const stack = assembly.stacks.find(({ stackName }) => stackName.endsWith(`-${name}`))
      return stack ? [[name, stack] as const] : []
    }),
  ) as Record<StackName, CloudFormationStackArtifact>
  const templates = Object.fromEntries(
    Object.entries(stacks).map(([name, { template }]) => [name, Template.fromJSON(template as object)]),
  ) as Record<StackName, Template>
  const exports = collectExports(templates)

  const resources = (stack: StackName, type: string) =>
    Object.entries(templates[stack].findResources(type) as Record<string, Resource>).map(
      ([id, resource]) => ({
        id: withoutHash(id),
        logicalId: id,
        ...resource,
        Properties: resolveReferences(resource.Properties ?? {}, stack, exports) as Record<string, unknown>,
      }),
    )

  return {
    assembly,
    stacks,
    templates,
    resources,
    /** the names of the stacks that are deployed before a stack */
    dependencies: (stack: StackName) =>
      stacks[stack].dependencies.map(({ id }) => id).filter((id) => !id.endsWith('.assets')),
    /** the only resource of its type in the stack */
    only(stack: StackName, type: string) {
      const found = resources(stack, type)
      if (found.length !== 1 || !found[0]) throw new Error(`${found.length} of ${type} in ${stack}`)
      return found[0]
    },
    /** a resource by its type and its construct's id */
    named(stack: StackName, type: string, id: string) {
      const found = resources(stack, type).filter((resource) => resource.id === id)
      if (found.length !== 1 || !found[0]) throw new Error(`${found.length} of ${type} ${id} in ${stack}`)
      return found[0]
    },
    outputs: (stack: StackName) =>
      Object.fromEntries(
        Object.entries(templates[stack].toJSON()['Outputs'] as Record<string, { Value: unknown }>)
          .filter(([id]) => !id.startsWith('ExportsOutput'))
          .map(([id, { Value }]) => [id, resolveReferences(Value, stack, exports)]),
      ),
    /** every statement of a function's role, in any of its policies */
    listStatements(stack: StackName, functionId: string): unknown[] {
      const fn = this.named(stack, 'AWS::Lambda::Function', functionId)
      const role = String(fn.Properties['Role']).replace(/\.Arn$/, '')
      const own = resources(stack, 'AWS::IAM::Role').find(({ id }) => `${stack}/${id}` === role)
      const attached = resources(stack, 'AWS::IAM::Policy').filter(({ Properties }) =>
        (Properties['Roles'] as string[]).includes(role),
      )
      return [
        ...((own?.Properties['Policies'] ?? []) as Record<string, unknown>[]),
        ...attached.map(({ Properties }) => Properties),
      ].flatMap((policy) => (policy['PolicyDocument'] as { Statement: unknown[] }).Statement)
    },
  }
}

export type Synthesised = ReturnType<typeof read>

const withoutHash = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, '')

/** Exports that other stacks import, by name, with references resolved. */
function collectExports(templates: Record<StackName, Template>) {
  const values = new Map<string, unknown>()
  for (const [stack, template] of Object.entries(templates)) {
    const outputs = (template.toJSON()['Outputs'] ?? {}) as Record<
      string,
      { Value: unknown; Export?: { Name: string } }
    >
    for (const { Value, Export } of Object.values(outputs)) {
      if (Export) values.set(Export.Name, resolveReferences(Value, stack as StackName, values))
    }
  }
  return values
}

/** Replaces references by `stack/Resource.Attribute` and resolves joins, so that tests can name exact values. */
function resolveReferences(value: unknown, stack: StackName, exports: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, stack, exports))
  if (typeof value !== 'object' || value === null) return value
  const [[key, inner] = [], ...rest] = Object.entries(value)
  if (rest.length === 0) {
    if (key === 'Ref')
      return String(inner).startsWith('AWS::')
        ? `<${String(inner).slice(5)}>`
        : `${stack}/${withoutHash(String(inner))}`
    if (key === 'Fn::GetAtt') return `${stack}/${withoutHash(String(inner[0]))}.${String(inner[1])}`
    // another stack's output, by its name
    if (key === 'Fn::GetStackOutput') {
      const { StackName, OutputName, Region } = inner as Record<string, string | undefined>
      return `${StackName}.${OutputName}${Region === undefined ? '' : `@${Region}`}`
    }
    if (key === 'Fn::ImportValue') {
      if (!exports.has(String(inner))) throw new Error(`nothing is exported as ${String(inner)}`)
      return exports.get(String(inner))
    }
    if (key === 'Fn::Sub' && typeof inner === 'string') return inner.replaceAll(/\$\{AWS::(\w+)\}/g, '<$1>')
    if (key === 'Fn::Join')
      return (resolveReferences(inner[1], stack, exports) as unknown[]).join(String(inner[0]))
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, resolveReferences(item, stack, exports)]),
  )
}
