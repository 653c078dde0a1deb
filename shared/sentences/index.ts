import { accountSentences } from './account.ts'
import { adminSentences } from './admin.ts'
import { assistantSentences } from './assistants.ts'
import { capabilitySentences } from './capabilities.ts'
import { chatSentences } from './chat.ts'
import { conversationSentences } from './conversations.ts'
import { dictationSentences } from './dictation.ts'
import { documentSentences } from './documents.ts'
import { driveSentences } from './drive.ts'
import { expirySentences } from './expiry.ts'
import { fileSentences } from './files.ts'
import { gatewaySentences } from './gateway.ts'
import { inputSentences } from './inputs.ts'
import { integrationSentences } from './integrations.ts'
import { invalidInputSentences } from './invalid-inputs.ts'
import { modelSentences, modelAdministratorSentences } from './model.ts'
import { ownToolSentences } from './own-tools.ts'
import { platformSentences } from './platform.ts'
import { projectSentences } from './projects.ts'
import { querySentences } from './queries.ts'
import { reconnectSentences } from './reconnect.ts'
import { registrySentences } from './registry.ts'
import { replySentences } from './replies.ts'
import { scheduleSentences } from './schedules.ts'
import { serverRequestSentences } from './server-requests.ts'
import { serverSentences } from './servers.ts'
import { setUpSentences } from './set-ups.ts'
import { shareSentences } from './shares.ts'
import { quoteSentences } from './to-sentence.ts'
import { toolListSentences } from './tool-lists.ts'
import { toolSentences, appSentences } from './tools.ts'

/** The tables of the domains: each function loads only its own. */
export const sentenceTables: readonly Readonly<Record<string, string>>[] = [
  accountSentences,
  adminSentences,
  assistantSentences,
  capabilitySentences,
  chatSentences,
  conversationSentences,
  dictationSentences,
  documentSentences,
  driveSentences,
  expirySentences,
  fileSentences,
  gatewaySentences,
  inputSentences,
  integrationSentences,
  invalidInputSentences,
  modelSentences,
  modelAdministratorSentences,
  ownToolSentences,
  platformSentences,
  projectSentences,
  querySentences,
  reconnectSentences,
  registrySentences,
  replySentences,
  scheduleSentences,
  serverRequestSentences,
  serverSentences,
  setUpSentences,
  shareSentences,
  toolListSentences,
  toolSentences,
  appSentences,
  quoteSentences,
]
