import { t } from '@lingui/core/macro'

/**
 * The labels of dialogs in sandboxed documents. Not in frame-document.ts, because programs without the catalogue of translations use that, too.
 */
export const dialogLabels = { ok: t`OK`, cancel: t`Cancel` }
