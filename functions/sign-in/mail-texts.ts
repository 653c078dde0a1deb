import type { Language } from '#shared/languages.ts'

/** The sentences of the mails with a code, in the languages of the page. `{brand}` is the name of the product. */
interface MailTexts {
  greeting: string
  /** of the link as an address */
  fallback: string
  /** `{code}` is set off */
  code: string
  signup: MailWords
  recovery: MailWords
}

interface MailWords {
  subject: string
  opening: string
  /** on the button */
  action: string
  closing: string
}

export const mailTexts = {
  en: {
    greeting: 'Hello,',
    fallback: 'If the button does not work, open this address:',
    code: 'If the page asks for a code, type {code}.',
    signup: {
      subject: 'Confirm your {brand} account',
      opening: 'Welcome to {brand}. Please confirm that this e-mail address is yours.',
      action: 'Confirm my e-mail',
      closing: 'The link is good for 24 hours. If you did not create an account, ignore this mail.',
    },
    recovery: {
      subject: 'Reset your {brand} password',
      opening: 'Somebody, most likely you, asked for a new password for {brand}.',
      action: 'Choose a new password',
      closing:
        'The link is good for one hour. If it was not you, ignore this mail: your password stays as it is.',
    },
  },
  de: {
    greeting: 'Guten Tag,',
    fallback: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
    code: 'Wenn die Seite nach einem Code fragt, geben Sie {code} ein.',
    signup: {
      subject: 'Bestätigen Sie Ihr Konto bei {brand}',
      opening: 'Willkommen bei {brand}. Bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört.',
      action: 'Meine E-Mail-Adresse bestätigen',
      closing:
        'Der Link gilt 24 Stunden. Wenn Sie kein Konto angelegt haben, beachten Sie diese E-Mail nicht.',
    },
    recovery: {
      subject: 'Setzen Sie Ihr Passwort für {brand} zurück',
      opening: 'Jemand, vermutlich Sie, hat ein neues Passwort für {brand} angefordert.',
      action: 'Neues Passwort wählen',
      closing:
        'Der Link gilt eine Stunde. Wenn Sie es nicht waren, beachten Sie diese E-Mail nicht: Ihr Passwort bleibt, wie es ist.',
    },
  },
  fr: {
    greeting: 'Bonjour,',
    fallback: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
    code: 'Si la page demande un code, saisissez {code}.',
    signup: {
      subject: 'Confirmez votre compte {brand}',
      opening: 'Bienvenue sur {brand}. Veuillez confirmer que cette adresse e-mail est la vôtre.',
      action: 'Confirmer mon adresse e-mail',
      closing: 'Le lien est valable 24 heures. Si vous n’avez pas créé de compte, ignorez cet e-mail.',
    },
    recovery: {
      subject: 'Réinitialisez votre mot de passe {brand}',
      opening: 'Quelqu’un, probablement vous, a demandé un nouveau mot de passe pour {brand}.',
      action: 'Choisir un nouveau mot de passe',
      closing:
        'Le lien est valable une heure. Si ce n’était pas vous, ignorez cet e-mail : votre mot de passe reste inchangé.',
    },
  },
  es: {
    greeting: 'Hola:',
    fallback: 'Si el botón no funciona, abra esta dirección:',
    code: 'Si la página pide un código, escriba {code}.',
    signup: {
      subject: 'Confirme su cuenta de {brand}',
      opening: 'Le damos la bienvenida a {brand}. Confirme que esta dirección de correo es suya.',
      action: 'Confirmar mi correo',
      closing: 'El enlace es válido durante 24 horas. Si no creó una cuenta, ignore este correo.',
    },
    recovery: {
      subject: 'Restablezca su contraseña de {brand}',
      opening: 'Alguien, probablemente usted, pidió una contraseña nueva para {brand}.',
      action: 'Elegir una contraseña nueva',
      closing:
        'El enlace es válido durante una hora. Si no fue usted, ignore este correo: su contraseña sigue igual.',
    },
  },
  'pt-BR': {
    greeting: 'Olá,',
    fallback: 'Se o botão não funcionar, abra este endereço:',
    code: 'Se a página pedir um código, digite {code}.',
    signup: {
      subject: 'Confirme sua conta do {brand}',
      opening: 'Boas-vindas ao {brand}. Confirme que este endereço de e-mail é seu.',
      action: 'Confirmar meu e-mail',
      closing: 'O link vale por 24 horas. Se você não criou uma conta, ignore este e-mail.',
    },
    recovery: {
      subject: 'Redefina sua senha do {brand}',
      opening: 'Alguém, provavelmente você, pediu uma nova senha para o {brand}.',
      action: 'Escolher uma nova senha',
      closing: 'O link vale por uma hora. Se não foi você, ignore este e-mail: sua senha continua como está.',
    },
  },
  ja: {
    greeting: 'こんにちは。',
    fallback: 'ボタンが機能しない場合は、次のアドレスを開いてください:',
    code: 'ページでコードを求められたら、{code} と入力してください。',
    signup: {
      subject: '{brand} のアカウントを確認してください',
      opening: '{brand} へようこそ。このメールアドレスがご自身のものであることを確認してください。',
      action: 'メールアドレスを確認する',
      closing:
        'リンクの有効期間は 24 時間です。アカウントを作成した覚えがない場合は、このメールを無視してください。',
    },
    recovery: {
      subject: '{brand} のパスワードを再設定してください',
      opening: '{brand} の新しいパスワードがリクエストされました。',
      action: '新しいパスワードを設定する',
      closing:
        'リンクの有効期間は 1 時間です。心当たりがない場合は、このメールを無視してください。パスワードは変更されません。',
    },
  },
  ar: {
    greeting: 'مرحبًا،',
    fallback: 'إذا لم يعمل الزر، فافتح هذا العنوان:',
    code: 'إذا طلبت الصفحة رمزًا، فاكتب {code}.',
    signup: {
      subject: 'أكّد حسابك في {brand}',
      opening: 'مرحبًا بك في {brand}. يُرجى تأكيد أن عنوان البريد الإلكتروني هذا لك.',
      action: 'تأكيد بريدي الإلكتروني',
      closing: 'الرابط صالح لمدة 24 ساعة. إذا لم تُنشئ حسابًا، فتجاهل هذه الرسالة.',
    },
    recovery: {
      subject: 'أعد تعيين كلمة مرورك في {brand}',
      opening: 'طلب شخص ما، على الأرجح أنت، كلمة مرور جديدة لـ {brand}.',
      action: 'اختيار كلمة مرور جديدة',
      closing: 'الرابط صالح لمدة ساعة واحدة. إذا لم تكن أنت، فتجاهل هذه الرسالة: ستبقى كلمة مرورك كما هي.',
    },
  },
} satisfies Record<Language, MailTexts>

export type MailLanguage = Language

/** The language of a mail that a page in this one asks for: anybody can ask for any, and what the page does not have is English. */
export const toMailLanguage = (language = 'en'): MailLanguage =>
  Object.hasOwn(mailTexts, language) ? (language as MailLanguage) : 'en'
