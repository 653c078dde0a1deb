// code that the chat loads with the first user who has connected something, or with the first call, as one chunk (ADR 0035)
export { openConnections } from '../integrations/credentials/open-connections.ts'
export { allowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
export { ledgerRepository } from './calls/ledger-repository.ts'
export { loadOfferedTools } from './offer/offered-tools.ts'
export { serverTools } from './offer/server-tools.ts'
