import { t } from '@lingui/core/macro'

/** Of the buttons of dialogs that documents in frames open. Apart from the document, which programs without a catalogue make, too. */
export const dialogLabels = { ok: t`OK`, cancel: t`Cancel` }
