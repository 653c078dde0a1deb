import { t } from '@lingui/core/macro'
import { Check, Copy } from 'lucide-react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { useCopy } from '../../../components/use-copy.ts'

/** Copies a text, and confirms it in place. */
export function CopyButton({
  label,
  text,
  format = (unchanged) => unchanged,
  getHtml,
}: {
  label: string
  text: string
  /** applied when the button is pressed */
  format?: (text: string) => string
  /** the same formatted, read when the button is pressed; undefined if it is not shown formatted */
  getHtml?: (button: HTMLElement) => string | undefined
}) {
  const { copied, copy } = useCopy()
  return (
    <IconButton
      size="sm"
      label={copied ? t`Copied` : label}
      icon={copied ? <Check size={16} className="text-success" /> : <Copy size={16} />}
      onClick={({ currentTarget }) => void copy(format(text), getHtml?.(currentTarget))}
    />
  )
}
