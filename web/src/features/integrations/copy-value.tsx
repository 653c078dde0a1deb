import { Check, Copy } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import { useCopied } from '../../components/use-copied.ts'

/** Copies a value and says so on itself for 2 s (SETUP-09, SETUP-36, SETUP-37). */
export function CopyValue({ label, value }: { label: string; value: string }) {
  const { copied, copy } = useCopied({ title: 'Copied!', description: `${label} copied to clipboard` })
  const word = copied ? 'Copied' : 'Copy'
  return (
    <Button tone="ghost" size="sm" aria-label={`${word} ${label}`} onClick={() => void copy(value)}>
      {copied ? <Check aria-hidden size={16} className="text-success" /> : <Copy aria-hidden size={16} />}
      {word}
    </Button>
  )
}
