import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNode, parseModule, visit } from './messages.ts'
import { capabilityNouns } from '#shared/sentences/capabilities.ts'
import type { Node } from './messages.ts'
import { entries } from '../../functions/providers/all/entries.ts'

const root = join(import.meta.dirname, '../..')

/** The names of built-in tools: `name` of a capability, `title` of a tool of the chat. */
function collectToolNames(): string[] {
  const names: string[] = []
  const list = (pattern: string) => globSync(pattern, { cwd: root }).sort()
  for (const file of [...list('functions/providers/*/tools.ts'), ...list('functions/chat/tools/*.ts')]) {
    if (file.endsWith('.test.ts')) continue
    visit(parseModule(file, readFileSync(join(root, file), 'utf8')), (node) => {
      const isCapability =
        node.type === 'CallExpression' && /capability$/i.test(String((node['callee'] as Node)['name']))
      const object = isCapability
        ? (node['arguments'] as Node[]).find(({ type }) => type === 'ObjectExpression')
        : file.includes('/chat/') && node.type === 'ObjectExpression'
          ? node
          : undefined
      for (const { key, value } of (object?.['properties'] ?? []) as { key?: Node; value?: Node }[])
        if (isNode(key) && key['name'] === (isCapability ? 'name' : 'title') && isNode(value))
          if (value.type === 'Literal') names.push(String(value['value']))
      return false
    })
  }
  return names
}

/** Whether an example is more than a value such as `acme.my.salesforce.com`. */
const hasProse = (example: string) => /^\p{L}+$|\s/u.test(example)

/** The names of built-in tools, what they ask for, and what cards, fields and set-up of built-in integrations say. */
export function collectNames(): string[] {
  const providers: readonly {
    description: string
    features: string[]
    apiKey?: { fields: { label: string; placeholder: string }[] }
    addressParameters: { label: string; example: string }[]
    setup: { appType: string }
  }[] = entries
  return [
    ...collectToolNames(),
    ...capabilityNouns,
    ...providers.flatMap(({ description, features, apiKey, addressParameters, setup }) => [
      description,
      ...features,
      ...(apiKey?.fields ?? []).flatMap(({ label, placeholder }) => [
        label,
        ...[placeholder].filter(hasProse),
      ]),
      ...addressParameters.flatMap(({ label, example }) => [label, ...[example].filter(hasProse)]),
      setup.appType,
    ]),
  ]
}
