import {
  setupTwoFactorRequest,
  setupTwoFactorResponse,
  twoFactorStatus,
  verifyTwoFactorRequest,
  verifyTwoFactorResponse,
} from '#shared/contracts/two-factor.ts'

/** What the routes of the function 'mfa' take and answer. */
export const mfaContracts = {
  'mfa.setup': { request: setupTwoFactorRequest, response: setupTwoFactorResponse },
  'mfa.verify': { request: verifyTwoFactorRequest, response: verifyTwoFactorResponse },
  'mfa.status': { response: twoFactorStatus },
} as const
