import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { catalogueFile, collectTranslatable, hasWords, listLanguages, readCatalogue } from './catalogues.ts'
import type { Catalogue, Translatable } from './catalogues.ts'
import { compileText, toMessageKey, hasMacros, parseModule, readMessages, visit } from './messages.ts'
import type { Message, Node } from './messages.ts'

const toImport = (name: string, module: string) =>
  `import { ${name} } from ${JSON.stringify(fileURLToPath(new URL(`../src/lib/text/${module}`, import.meta.url)))};`
const importTranslate = toImport('translate as _t', 'translate.ts')
const importRich = toImport('translateRich as _r', 'translate-rich.ts')
export const catalogueModule = 'virtual:catalogues/'

/** A module that loads the catalogue of a language. */
const listCatalogues = () =>
  `export default { ${listLanguages()
    .map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(catalogueModule + name)})`)
    .join(', ')} }`

type Edit = readonly [start: number, end: number, code: string]

const applyEdits = (source: string, edits: readonly Edit[]) =>
  edits
    .toSorted(([a], [b]) => b - a)
    .reduce((code, [start, end, replacement]) => code.slice(0, start) + replacement + code.slice(end), source)

function toCall(message: Message): string {
  const { id, text, values, nodes } = message
  if (id === text) return `/*#__PURE__*/_t(${JSON.stringify(id)})`
  const parts = [JSON.stringify(id), JSON.stringify(compileText(message, text))]
  if (nodes) parts.push(`[${nodes.join(', ')}]`)
  if (values.length > 0) parts.push(`[${values.join(', ')}]`)
  return `/*#__PURE__*/${nodes ? '_r' : '_t'}(${parts.join(', ')})`
}

/** Replaces the macros of a module, and their imports, by calls with compiled messages. */
function compileMacros(file: string, source: string): string {
  const edits: Edit[] = readMessages(file, source).map((message) => [
    message.start,
    message.end,
    message.isChild ? `{${toCall(message)}}` : toCall(message),
  ])
  if (edits.length === 0) return source
  visit(parseModule(file, source), (node) => {
    if (
      node.type === 'ImportDeclaration' &&
      /^@lingui\/\w+\/macro$/.test(String((node['source'] as Node)['value']))
    )
      edits.push([node.start, node.end, ''])
    return node.type !== 'Program'
  })
  const code = applyEdits(source, edits)
  return importTranslate + (code.includes('_r(') ? importRich : '') + code
}

/**
 * What a language's catalogue holds, compiled, for `web/src/lib/text/language.ts`. Data only: an import could evaluate modules with texts before
 * they can be translated.
 */
export function compileCatalogue(
  { messages: pageMessages, sentences, names }: Translatable,
  translations: Catalogue,
): string {
  const messages: Record<string, unknown> = {}
  for (const variants of pageMessages.values())
    for (const message of variants) {
      const translation = translations[toMessageKey(message)]
      if (translation) messages[message.id] = compileText(message, translation)
    }
  const translate = (entries: Iterable<readonly [string, string]>) =>
    JSON.stringify(
      Object.fromEntries(
        [...entries].map(([id, text]) => [id, (hasWords(text) && translations[text]) || text]),
      ),
    )
  return `export default {
    messages: ${JSON.stringify(messages)},
    sentences: ${translate(sentences)},
    names: ${translate([...names].map((name) => [name, name]))},
  }`
}

/** Compiles macros and catalogues, so that the page needs no parser of messages. */
export function translation(): Plugin {
  let translatable: Translatable | undefined
  return {
    name: 'translation',
    enforce: 'pre',
    buildStart() {
      translatable = undefined
    },
    resolveId: (id) => (id.startsWith(catalogueModule) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${catalogueModule}`)) return null
      const language = id.slice(catalogueModule.length + 1)
      if (language === '') return listCatalogues()
      this.addWatchFile(catalogueFile(language))
      return compileCatalogue((translatable ??= collectTranslatable()), readCatalogue(language))
    },
    transform: {
      filter: { id: /\/web\/src\/.*\.tsx?$/ },
      handler(code, id) {
        return hasMacros(code) ? { code: compileMacros(id, code), map: null } : undefined
      },
    },
  }
}
