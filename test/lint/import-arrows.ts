import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'

/**
 * The lint rule `juno/import-arrows`: who may import whom, written once in `zones`. It resolves each import to a file of
 * the project, so it sees what a pattern on the import's text does not: depth, dynamic imports, re-exports, import types.
 */

/** A folder and the project's folders that it may import. `*` is one folder's name, the same on both sides. */
interface Zone {
  readonly folder: string
  readonly mayImport: readonly string[]
  /** also runs in the browser: no Node modules */
  readonly isomorphic?: true
  /** may take types but no values: a validator library costs 22 KB gzip on the first page */
  readonly typesOnlyFrom?: readonly string[]
}

const functionsFolder = (name: string, ...others: string[]): Zone => ({
  folder: `functions/${name}`,
  mayImport: [
    `functions/${name}`,
    'functions/platform',
    // users' choices about their data: whoever stores something must check them
    'functions/settings',
    'shared',
    ...others.map((other) => `functions/${other}`),
  ],
})

const browser = { isomorphic: true, typesOnlyFrom: ['shared/contracts', 'zod'] } as const

/** The folders of the product. */
const productFolders = ['functions', 'infra', 'shared', 'web']

/** The first zone that contains a file decides. Files in no zone (infra/local, tests, configuration) may import any product code. */
const zones: readonly Zone[] = [
  { folder: 'shared', mayImport: ['shared'], isomorphic: true },

  functionsFolder('platform'),
  functionsFolder('models', 'files'),
  functionsFolder(
    'chat',
    'assistants',
    'conversations',
    'files',
    'documents',
    'models',
    'projects',
    'providers',
    'push',
    'schedules',
    'tools',
  ),
  // what is offered reads: it cannot name what refreshes, revokes or marks a credential, so only a call and its connection can
  {
    ...functionsFolder(
      'tools/offer',
      'tools/servers',
      'tools/calls',
      'integrations/credentials',
      'integrations/store',
      'providers',
    ),
    typesOnlyFrom: ['functions/integrations/credentials'],
  },
  // everything that is called: built-in integrations and remote servers
  functionsFolder(
    'tools/servers',
    'tools/calls',
    'integrations/credentials',
    'integrations/store',
    'mcp',
    'providers',
  ),
  functionsFolder('tools/calls', 'integrations/credentials', 'integrations/store', 'mcp', 'providers'),
  // a file of a connected drive becomes an upload
  functionsFolder(
    'tools',
    'assistants',
    'conversations/store',
    'files',
    'integrations',
    'mcp',
    'projects',
    'providers',
    'registry',
    'schedules',
  ),
  // a run is a reply of the chat, whose tools manage schedules
  functionsFolder(
    'schedules/runs',
    'assistants',
    'chat',
    'conversations',
    'models',
    'projects',
    'schedules',
    'sign-in',
    'tools',
  ),
  functionsFolder('schedules', 'assistants', 'projects'),
  functionsFolder('capabilities', 'providers'),
  functionsFolder('mcp', 'providers'),
  // rows, then what happens to them in a turn, then how a reply is sent; the routes of conversations come last
  functionsFolder('conversations/store', 'feedback', 'files', 'schedules', 'shares'),
  functionsFolder('conversations/turns', 'conversations/store'),
  functionsFolder('conversations/replies', 'conversations/store', 'conversations/turns'),
  functionsFolder(
    'conversations',
    'assistants',
    'feedback',
    'files',
    'imports',
    'integrations/store',
    'projects',
    'schedules',
    'shares',
  ),
  // it reads what it tells about, and its mails look like those of the sign-in
  functionsFolder('push', 'conversations/store', 'schedules', 'sign-in'),
  functionsFolder('imports', 'conversations', 'files'),
  functionsFolder('projects', 'files'),
  functionsFolder('assistants', 'files', 'projects'),
  functionsFolder('documents', 'files'),
  // vectors of files come from the model's server, within the budget of replies
  // vectors count in the limits of their user, who is not signed in then
  functionsFolder('embeddings', 'chat', 'files', 'models', 'sign-in'),
  // the text of a link is a part of its owner's storage
  functionsFolder('shares', 'files'),
  // rows, then the credentials that use them, then the sign-in and the routes
  functionsFolder('integrations/store', 'mcp', 'providers'),
  functionsFolder('integrations/vault', 'integrations/store'),
  functionsFolder(
    'integrations/credentials',
    'integrations/store',
    'integrations/vault',
    'providers',
    'registry',
  ),
  functionsFolder('integrations', 'mcp', 'providers', 'registry'),
  functionsFolder('registry', 'providers'),
  { folder: 'functions/account', mayImport: ['functions', 'shared'] },
  // invitations admit people at their sign-up; feedback is for administrators
  functionsFolder('admin', 'assistants', 'feedback', 'sign-in'),
  // the check signs its requests to Bedrock like replies
  functionsFolder('model-check', 'models/bedrock'),
  functionsFolder('*'),
  { folder: 'functions', mayImport: ['functions/platform', 'shared'] },

  {
    folder: 'web/src/app',
    mayImport: ['web/src/app', 'web/src/features', 'web/src/components', 'web/src/lib', 'shared'],
    ...browser,
  },
  {
    folder: 'web/src/features/*',
    mayImport: ['web/src/features/*', 'web/src/components', 'web/src/lib', 'shared'],
    ...browser,
  },
  { folder: 'web/src/components', mayImport: ['web/src/components', 'web/src/lib', 'shared'], ...browser },
  { folder: 'web/src/lib', mayImport: ['web/src/lib', 'shared'], ...browser },
  { folder: 'web/src', mayImport: ['web/src', 'shared'], ...browser },
  // the build writes the built-in entries of the catalogue into the page
  { folder: 'web', mayImport: ['web', 'shared', 'functions/providers', 'functions/registry'] },

  { folder: 'infra/aws', mayImport: ['infra/aws', 'shared'] },
  // an operator's command applies the product's own rules to stored data
  { folder: 'infra/operate', mayImport: ['infra/operate', 'infra/aws', 'functions', 'shared'] },
]

const root = join(import.meta.dirname, '../..')
/**
 * What stands beside an integration's code for tests, and for the laptop: its double, what its provider publishes, its cases, and the lists
 * of all of them.
 */
const isBesideIntegration = (file: string) =>
  /^functions\/providers\/[^/]+\/(?:doubles?|contracts?|cases)\.ts$/.test(file)
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || isBesideIntegration(file)
const inFolder = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`)

function findZone(file: string): { zone: Zone; star: string } | undefined {
  for (const zone of zones) {
    const match = new RegExp(`^${zone.folder.replace('*', '([^/]+)')}/`).exec(file)
    if (match) return { zone, star: match[1] ?? '' }
  }
  return undefined
}

/**
 * Why an import is refused.
 * @param file path of the importing file, from the project's root
 * @param source the import as written
 * @returns a sentence, or undefined when the import is fine
 */
export function explainRefusal(file: string, source: string, isType: boolean): string | undefined {
  if (source.startsWith('#') && !source.startsWith('#shared/')) return 'the only alias is #shared/'
  const isRelative = source.startsWith('.')
  const target = isRelative
    ? relative(root, join(root, dirname(file), source))
        .split(sep)
        .join('/')
    : source.replace(/^#/, '')
  const isProduct = productFolders.some((folder) => inFolder(file, folder)) && !isTest(file)
  if (isProduct && isRelative && inFolder(target, 'test')) return 'product code may not import test/'

  const match = findZone(file)
  if (!match) return undefined
  const { zone, star } = match
  if (zone.isomorphic && isBuiltin(source))
    return `${zone.folder} runs in the browser, without Node's modules`
  const typesOnlyFolder = zone.typesOnlyFrom?.find((folder) => inFolder(target, folder))
  if (typesOnlyFolder && !isType && !isTest(file))
    return `${zone.folder} takes only types from ${typesOnlyFolder} (import type)`
  if (!isRelative && !source.startsWith('#')) return undefined

  if (isRelative && inFolder(target, 'shared') && !inFolder(file, 'shared'))
    return 'shared/ is imported as #shared/'
  if (isTest(file) && inFolder(target, 'test/support')) return undefined
  if (isBesideIntegration(file) && inFolder(target, 'infra/local/doubles/providers')) return undefined
  const allowed = zone.mayImport.map((folder) => folder.replace('*', star))
  if (allowed.some((folder) => inFolder(target, folder))) return undefined
  return `${zone.folder.replace('*', star)} may not import ${target} (only ${allowed.join(', ')})`
}

interface ImportNode {
  readonly source?: { readonly value?: unknown } | null
  readonly argument?: { readonly value?: unknown; readonly literal?: { readonly value?: unknown } } | null
  readonly importKind?: string
  readonly exportKind?: string
}

interface RuleContext {
  readonly filename: string
  report(problem: { node: ImportNode; message: string }): void
}

const rule = {
  create(context: RuleContext) {
    const file = relative(root, context.filename).split(sep).join('/')
    const check = (node: ImportNode, source: unknown, isType: boolean) => {
      const message = typeof source === 'string' ? explainRefusal(file, source, isType) : undefined
      if (message) context.report({ node, message })
    }
    const checkSource = (node: ImportNode) =>
      check(node, node.source?.value, node.importKind === 'type' || node.exportKind === 'type')
    return {
      ImportDeclaration: checkSource,
      ImportExpression: checkSource,
      ExportNamedDeclaration: checkSource,
      ExportAllDeclaration: checkSource,
      TSImportType: (node: ImportNode) =>
        check(node, node.source?.value ?? node.argument?.literal?.value ?? node.argument?.value, true),
    }
  },
}

export default { meta: { name: 'juno' }, rules: { 'import-arrows': rule } }
