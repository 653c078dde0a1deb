import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { collectTranslatable } from '../../web/translation/catalogues.ts'
import { parseModule, readMessages, visit } from '../../web/translation/messages.ts'
import type { Node } from '../../web/translation/messages.ts'

/** Texts that several modules show: an unused one would still be translated. `knip` does not see which exports of `import * as texts` are used. */

const root = join(import.meta.dirname, '../..')
const isTexts = (file: string) => /(?:^|[-/])texts\.tsx?$/.test(file)

const sources = new Map(
  globSync('web/src/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)
const modules = [...sources.keys()].filter(isTexts)

/** The members of a module that other modules read. */
function collectUsedNames(module: string): Set<string> {
  const usedNames = new Set<string>()
  for (const [file, source] of sources)
    for (const [, alias, path] of source.matchAll(/^import \* as (\w+) from '(\.[^']+)'$/gm))
      if (alias !== undefined && path !== undefined && normalize(join(dirname(file), path)) === module)
        for (const [, name] of source.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g')))
          usedNames.add(name ?? '')
  return usedNames
}

it.each(modules)('every text of %s is used', (module) => {
  const usedNames = collectUsedNames(module)
  const names = [...(sources.get(module) ?? '').matchAll(/^export (?:const|function) (\w+)/gm)].map(
    ([, name]) => name ?? '',
  )
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !usedNames.has(name))).toEqual([])
})

/** Texts in title case that the specification quotes, and names of other products. */
const titleCase = new Set(
  `Add Custom | Add Custom MCP Tool | Authentication Required | Change Password | Chat Error |
   Connect Tools | Connection Error | Connection Failed | Continue to Settings | Custom MCP Tool |
   Custom Tool Added | Custom Tool Removed | Custom Tools | Disconnection Error | Open Service |
   Disconnection Failed | Document Analysis Error | Email Confirmed | Enhanced Sync | Load More |
   Enter {provider} Client ID | Failed to Add Tool | Failed to Remove Tool | Force Refresh |
   GitHub Sync | Integration Connected | Integration Disconnected | MCP Integrations |
   Manage Permissions | Needs Reconnect | Needs Refresh | OAuth Started | Password Reset |
   Privacy & Your Digital Footprint | Refresh Failed | Refresh Integrations | Return to Home |
   Required Credentials | Save Changes | Security Settings | Setup Portal | Setup Steps |
   Some Tools Failed | Start Fresh Chat | Token Expired | Token Refreshed | Try Again |
   Tools Executed Successfully | Two-Factor Authentication | Validation Error | Your Profile |
   2FA Disabled | 2FA Enabled | 2FA Enabled Successfully! | Your Conversations | Client Secret |
   {count} Active | {sync} Complete | {sync} Failed | {assistantName} Online | {name} Sandbox |
   Copied as Markdown | Export as Markdown | Export as Word | Open the Gmail API |
   Open the Zoom Marketplace | External Client App | Open Setup | Close, Esc | Stop (Esc) | New Chat |
   API key SID (or Account SID)`.split(/ \|\s+/),
)

it('texts are in sentence case unless the specification quotes them', () => {
  const found = [...collectTranslatable().keys].filter((text) => {
    // what is quoted is the text of another product
    const words = text.replaceAll(/“[^”]*”|\{[^}]*\}/g, '').match(/[\p{L}\d-]+/gu) ?? []
    const long = words.filter((word) => word.length > 3)
    const isTitle = long.every((word) => /^[\p{Lu}\d]/u.test(word)) && long.length > 0
    const starts = text.startsWith('{') ? words : words.slice(1)
    return isTitle && !/[.]$/.test(text) && starts.some((word) => /^\p{Lu}\p{Ll}/u.test(word))
  })
  expect(found.filter((text) => !titleCase.has(text))).toEqual([])
  expect([...titleCase].filter((text) => !found.includes(text))).toEqual([])
})

/** The texts of a module that no macro translates, without those that are compared, and names of classes. */
function findUntranslated(file: string): string[] {
  const source = sources.get(file) ?? ''
  const messages = readMessages(file, source)
  const isTranslated = ({ start, end }: Node) =>
    messages.some((message) => message.start <= start && end <= message.end)
  const found: string[] = []
  const check = (node: Node): boolean => {
    const { type } = node
    const isFromModule = type.startsWith('Export') && node['source']
    if (isFromModule || /^(?:Import|TS|JSXAttribute)/.test(type) || isTranslated(node)) return true
    if (type === 'BinaryExpression' && node['operator'] !== '+') return true
    if (type === 'Property' || type === 'SwitchCase') {
      const parts = type === 'Property' ? [node['value']] : node['consequent']
      for (const part of parts as Node[]) visit(part, check)
      return true
    }
    const value = type === 'TemplateElement' ? (node['value'] as { cooked: string }).cooked : node['value']
    const isText = /^(?:Literal|TemplateElement|JSXText)$/.test(type) && typeof value === 'string'
    if (isText && /\p{L}/u.test(value)) found.push(value)
    return false
  }
  visit(parseModule(file, source), check)
  return found
}

it.each(modules)('every text of %s is translated', (module) => {
  expect(findUntranslated(module)).toEqual([])
})
