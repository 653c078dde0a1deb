import { t } from '@lingui/core/macro'
import { Check, Copy } from 'lucide-react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { useCopy } from '../../../components/ui/use-copy.ts'

/** Copies a text, and shows for a moment that it was copied. */
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
  /** reads the same text as HTML when the button is pressed; returns undefined if the page shows it as plain text */
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
