import { integrationsContracts } from '#shared/contracts/integrations.ts'
import { isConnectionAllowed } from '#shared/group-limits.ts'
import type { User } from '../platform/auth/access-token.ts'
import { requireRecentSignIn } from '../platform/auth/recent-sign-in.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { connect } from './connect.ts'
import type { CredentialRow } from './store/credential-repository.ts'
import { deleteCredentials, loadMaskedCredentials, storeCredentials } from './store-credentials.ts'
import { toCustomToolView } from './store/custom-tool-repository.ts'
import { addCustomTool, setCustomToolKey, testCustomTool } from './custom-tools.ts'
import { removeCustomTool, removeEndedCustomTools } from './remove-custom-tool.ts'
import { disconnect } from './disconnect.ts'
import type { ConnectionRow } from './store/connection-repository.ts'
import { cleanUp, listConnections } from './list.ts'
import { refreshOnRequest } from './credentials/refresh.ts'
import { CustomToolsNotAllowed } from './store/errors.ts'
import { openDeps, openUserDeps } from './deps.ts'
import { toConnectionView } from './view.ts'

const deps = openDeps()
const openCallDeps = openUserDeps(deps)

/** @throws CustomToolsNotAllowed */
async function requireCustomServers(user: User): Promise<void> {
  const { toolsAllowed } = await openCallDeps(user)
  if (!isConnectionAllowed('custom', toolsAllowed))
    throw new CustomToolsNotAllowed('the groups of the user allow no custom tools')
}
const success = true as const

function toResponse(sub: string, row: ConnectionRow, credential: CredentialRow | undefined) {
  const integration = toConnectionView(sub, row, credential, new Date())
  if (!integration) throw new Error('a row was written without its name or date')
  return { success, integration }
}

export const handler = apiFunction('integrations', integrationsContracts, {
  'integrations.list': async ({ user }) => ({ integrations: await listConnections(deps, user.sub) }),

  'integrations.cleanup': async ({ user }) => ({ success, deleted: await cleanUp(deps, user.sub) }),

  'integrations.connect': async ({ user, params, body: { credentials, environment, parameters = {} } }) => {
    const input = { mcpId: params.mcpId, credentials, environment, parameters }
    const { row, credential } = await connect(await openCallDeps(user), user.sub, input)
    return toResponse(user.sub, row, credential)
  },

  'integrations.disconnect': async ({ user, params }) => ({
    success,
    ...(await disconnect(deps, user.sub, params.mcpId)),
  }),

  'integrations.refresh': async ({ user, params }) => {
    const row = await refreshOnRequest(deps, user.sub, params.mcpId)
    return toResponse(user.sub, row, await deps.credentials.find(user.sub, params.mcpId))
  },

  'credentials.manage': async ({ user, body }) => {
    const { sub } = user
    switch (body.action) {
      case 'store':
      case 'update':
        await storeCredentials(await openCallDeps(user), sub, {
          ...body,
          mustExist: body.action === 'update',
        })
        return { success }
      case 'retrieve':
        return { success, credentials: await loadMaskedCredentials(deps, sub, body.mcpId) }
      case 'delete':
        await deleteCredentials(deps, sub, body.mcpId)
        return { success }
    }
  },

  'customTools.list': async ({ user: { sub }, log }) => {
    await removeEndedCustomTools(deps, sub).catch((error: unknown) =>
      log.warn('ended tools could not be removed', { error }),
    )
    return { tools: (await deps.customTools.list(sub)).map((tool) => toCustomToolView(sub, tool)) }
  },

  'customTools.add': async ({ user, body }) => {
    await requireCustomServers(user)
    // a server that a stolen session adds would outlive it
    requireRecentSignIn(user, Date.now())
    return { success, tool: await addCustomTool(deps, user.sub, body) }
  },

  'customTools.test': async ({ user, body }) => {
    await requireCustomServers(user)
    return { success, ...(await testCustomTool(deps, body.config)) }
  },

  'customTools.setKey': async ({ user, params, body }) => {
    await requireCustomServers(user)
    return { success, tool: await setCustomToolKey(deps, user.sub, params.toolId, body.apiKey) }
  },

  'customTools.remove': async ({ user, params }) => {
    await removeCustomTool(deps, user.sub, params.toolId)
    return { success }
  },
})
