import { t } from '@lingui/core/macro'
import { Check, Copy } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { useCopy } from '../../../components/ui/use-copy.ts'

/** A button that copies a value, such as a redirect URI. `label` names the value in the toast and for screen readers. */
export function CopyValue({ label, value }: { label: string; value: string }) {
  const { copied, copy } = useCopy({ title: t`Copied!`, description: t`${label} copied to clipboard` })
  const word = copied ? t`Copied` : t`Copy`
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label={t`${{ action: word }} ${{ name: label }}`}
      onClick={() => void copy(value)}
    >
      {copied ? <Check aria-hidden size={16} className="text-success" /> : <Copy aria-hidden size={16} />}
      {word}
    </Button>
  )
}
