import { t } from '@lingui/core/macro'

// auth-page

// confirm-step

// credentials-form
export const providerHint = (label: string) => t`Your organisation signs in with ${label}.`

// provider-form

// reset-step

// totp-step

// use-auth-flow
