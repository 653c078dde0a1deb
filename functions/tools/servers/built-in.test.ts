import { expect, it } from 'vitest'
import { builtInProviders } from '../../providers/built-in.ts'
import type { ConnectedApi } from '../../providers/api.ts'
import { fingerprintTool } from '../calls/tool.ts'
import { builtInServer, listBuiltInTools } from './built-in.ts'
import { type ToolConnection, toTool } from './server.ts'

const noApi: ConnectedApi = { call: () => Promise.reject(new Error('no request is expected')) }

/*
 * A model chooses a tool by these texts and limits, and "always allowed" applies to exactly them. After an intended change, update
 * the file with `vitest run --project=unit functions/tools/servers/built-in.test.ts -u`.
 */
it('CAP-03 the tools of built-in providers are described to models and people as in the snapshot', async () => {
  const shownTools = builtInProviders.flatMap(({ id, name: provider }) => {
    const connection: ToolConnection = {
      kind: 'built_in',
      integration: { mcpId: id, name: provider },
      namePrefix: id,
      isReadOnly: ({ writes }) => writes === false,
      server: builtInServer(id, noApi),
    }
    return listBuiltInTools(id).map((listed) => {
      const tool = toTool(connection, listed)
      const { title, description, writes, activity, timeoutMs } = tool
      return {
        provider: tool.integration?.mcpId,
        name: listed.name,
        title,
        description,
        writes,
        activity,
        timeoutMs,
        examples: listed.examples,
        parameters: tool.parameters.schema,
        fingerprint: fingerprintTool(tool),
      }
    })
  })
  await expect(`${JSON.stringify(shownTools, null, 2)}\n`).toMatchFileSnapshot('shown-tools.json')
})

it('an id that is not a provider’s has no tools, even if objects have a property of that name', () => {
  expect(listBuiltInTools('unknown')).toEqual([])
  expect(listBuiltInTools('constructor')).toEqual([])
})
