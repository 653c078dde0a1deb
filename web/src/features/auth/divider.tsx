import { t } from '@lingui/core/macro'

/** The word "or" between two lines. */
export const Divider = () => (
  <div className="flex items-center gap-3 text-sm text-ink-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    {t`or`}
  </div>
)
