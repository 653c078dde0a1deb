import { t } from '@lingui/core/macro'

// api-errors
export const accountDisabled = t`This account is disabled. Ask the person who runs the site.`

export const sessionExpired = t`Your session has expired. Please refresh the page and sign in again.`

// auth-tokens

// call-api

// dates

// reply-notifications
