import { integrationsContracts } from '#shared/contracts/integrations.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { connect } from './connect.ts'
import type { CredentialRow } from './credential-repository.ts'
import { deleteCredentials, maskedCredentials, storeCredentials } from './credentials.ts'
import { toolView } from './custom-tool-repository.ts'
import { addTool, removeTool, testTool } from './custom-tools.ts'
import { disconnect } from './disconnect.ts'
import type { IntegrationRow } from './integration-repository.ts'
import { cleanUp, listIntegrations } from './list.ts'
import { refreshOnRequest } from './oauth/refresh.ts'
import { openStores } from './deps.ts'
import { integrationView } from './view.ts'

const stores = openStores()
const success = true as const

function shown(sub: string, row: IntegrationRow, credential: CredentialRow | undefined) {
  const integration = integrationView(sub, row, credential, new Date())
  if (!integration) throw new Error('a row was written without its name or date')
  return { success, integration }
}

export const handler = apiFunction('integrations', integrationsContracts, {
  'integrations.list': async ({ user }) => ({ integrations: await listIntegrations(stores, user.sub) }),

  'integrations.cleanup': async ({ user }) => ({ success, deleted: await cleanUp(stores, user.sub) }),

  'integrations.connect': async ({ user, params, body: { credentials, environment, parameters = {} } }) => {
    const wish = { mcpId: params.mcpId, credentials, environment, parameters }
    const { row, credential } = await connect(stores, user.sub, wish)
    return shown(user.sub, row, credential)
  },

  'integrations.disconnect': async ({ user, params }) => ({
    success,
    ...(await disconnect(stores, user.sub, params.mcpId)),
  }),

  'integrations.refresh': async ({ user, params }) => {
    const row = await refreshOnRequest(stores, user.sub, params.mcpId)
    return shown(user.sub, row, await stores.credentials.find(user.sub, params.mcpId))
  },

  'credentials.manage': async ({ user: { sub }, body }) => {
    switch (body.action) {
      case 'store':
      case 'update':
        await storeCredentials(stores, sub, { ...body, mustExist: body.action === 'update' })
        return { success }
      case 'retrieve':
        return { success, credentials: await maskedCredentials(stores, sub, body.mcpId) }
      case 'delete':
        await deleteCredentials(stores, sub, body.mcpId)
        return { success }
    }
  },

  'customTools.list': async ({ user: { sub } }) => ({
    tools: (await stores.tools.list(sub)).map((tool) => toolView(sub, tool)),
  }),

  'customTools.add': async ({ user, body }) => ({ success, tool: await addTool(stores, user.sub, body) }),

  'customTools.test': async ({ body }) => ({ success, ...(await testTool(stores, body.config)) }),

  'customTools.remove': async ({ user, params }) => {
    await removeTool(stores, user.sub, params.toolId)
    return { success }
  },
})
