import { t } from '@lingui/core/macro'

// app-card
export const title = (server: string) => t`App from ${server}`

// app-frame

// app-bridge
export const dialogLabels = { ok: t`OK`, cancel: t`Cancel` }

// app-question-card
