import { expect, it } from 'vitest'
import { builtInProviders } from '../../providers/built-in.ts'
import type { ConnectedApi } from '../../capabilities/api.ts'
import { listCapabilities } from '../../capabilities/catalogue.ts'
import { buildToolName } from '../calls/tool-name.ts'
import { createCapabilityTool, fingerprintTool } from '../calls/tool.ts'

const noApi: ConnectedApi = { call: () => Promise.reject(new Error('no request is expected')) }

/*
 * A model chooses a tool by these texts and limits, and "always allowed" applies to exactly them. After an intended change, update
 * the file with `vitest run --project=unit -u functions/tools/offer/capability-tools.test.ts`.
 */
it('CAP-03 the tools of built-in providers are described to models and people as in the snapshot', async () => {
  const shownTools = builtInProviders.flatMap(({ id, name }) =>
    listCapabilities(id).map((one) => {
      const tool = createCapabilityTool(one, { mcpId: id, name }, noApi)
      const { title, description, writes, activity, timeoutMs } = tool
      return {
        provider: tool.integration?.mcpId,
        name: tool.name,
        title,
        description,
        writes,
        activity,
        timeoutMs,
        examples: one.examples,
        parameters: tool.parameters.schema,
        fingerprint: fingerprintTool({ ...tool, name: buildToolName(id, one.id) }),
      }
    }),
  )
  await expect(`${JSON.stringify(shownTools, null, 2)}\n`).toMatchFileSnapshot('shown-tools.json')
})

it('an id that is not a provider’s has no tools, even if objects have a property of that name', () => {
  expect(listCapabilities('unknown')).toEqual([])
  expect(listCapabilities('constructor')).toEqual([])
})
