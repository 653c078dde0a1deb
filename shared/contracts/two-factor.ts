import * as z from 'zod'

/** The entered code: six digits, or the ten characters of a backup code. If it is wrong, the response says so in words. */
const code = z.string().max(64)

/** Proof for what weakens or ends an account, not needed within five minutes of a sign-in. */
export const proofFields = { token: code.optional(), isBackupCode: z.boolean().optional() }

export const setupTwoFactorRequest = z.strictObject({
  action: z.enum(['generate', 'verify', 'disable', 'regenerate']),
  /** verify: the app's first code. disable and regenerate: proof */
  ...proofFields,
})

/** Secret and codes are shown once, here, and can never be read again. */
export const setupTwoFactorResponse = z.object({
  success: z.literal(true),
  /** generate: the otpauth address that the browser draws */
  qrCodeUrl: z.string().exactOptional(),
  /** generate and regenerate */
  backupCodes: z.array(z.string()).exactOptional(),
})

/** A backup code at sign-in, without a token of any kind; or, with a bearer token, a check that counts for five minutes. */
export const verifyTwoFactorRequest = z.strictObject({
  token: code.default(''),
  isBackupCode: z.boolean().default(false),
  email: z.string().max(320).optional(),
  /** the same id and code again get the same answer for three minutes */
  attemptId: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .optional(),
})

export const verifyTwoFactorResponse = z.object({
  success: z.literal(true),
  /** at sign-in: the codes of the current and the next time step, for Cognito's own challenge */
  codes: z.tuple([z.string(), z.string()]).exactOptional(),
})

/** The state of the factor at Cognito, and how many backup codes are left. */
export const twoFactorStatus = z.object({
  enabled: z.boolean(),
  /** signs in with an identity provider, whose second step is set there */
  federated: z.boolean(),
  backupCodesLeft: z.number().int(),
})

export const mfaContracts = {
  'mfa.setup': { request: setupTwoFactorRequest, response: setupTwoFactorResponse },
  'mfa.verify': { request: verifyTwoFactorRequest, response: verifyTwoFactorResponse },
  'mfa.status': { response: twoFactorStatus },
} as const
