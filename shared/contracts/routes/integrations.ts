import * as z from 'zod'
import {
  cleanupAnswer,
  connectRequest,
  credentialAnswer,
  credentialRequest,
  customToolAnswer,
  customToolList,
  customToolRequest,
  customToolTestAnswer,
  customToolTestRequest,
  disconnectAnswer,
  integrationAnswer,
  integrationList,
} from '#shared/contracts/integrations.ts'
import { success } from '#shared/contracts/success.ts'

/** What the routes of the function 'integrations' take and answer. */
export const integrationsContracts = {
  'credentials.manage': { request: credentialRequest, response: credentialAnswer },
  'integrations.list': { response: integrationList },
  'integrations.cleanup': { request: z.strictObject({}), response: cleanupAnswer },
  'integrations.connect': { request: connectRequest, response: integrationAnswer },
  'integrations.disconnect': { request: z.strictObject({}), response: disconnectAnswer },
  'integrations.refresh': { request: z.strictObject({}), response: integrationAnswer },
  'customTools.list': { response: customToolList },
  'customTools.add': { request: customToolRequest, response: customToolAnswer },
  'customTools.test': { request: customToolTestRequest, response: customToolTestAnswer },
  'customTools.remove': { response: success },
} as const
