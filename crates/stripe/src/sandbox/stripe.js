// @ts-check
/**
 * Our replacement for Stripe.js: the part that Berth uses, talking to the sandbox. It accepts only the test numbers that
 * Stripe publishes; any other is rejected here, before anything is sent, and again by the sandbox.
 *
 * @import { Stripe } from '@stripe/stripe-js'
 */
(() => {
  const SERVER = '/dev/stripe';
  const TEST_NUMBERS = [
    '4242424242424242',
    '5555555555554444',
    '4000000000000002',
    '4000000000000341',
    '4000000000009995',
    '4000002500003155',
  ];

  const WORDS = {
    en: {
      hint: "Test payments: only Stripe's test numbers work here, such as 4242 4242 4242 4242.",
      number: 'Card number',
      expiry: 'Expiration date',
      expiryHint: 'MM / YY',
      cvc: 'Security code',
      numberEmpty: "Your card's number is incomplete.",
      numberWrong: "Only Stripe's test numbers work here, such as 4242 4242 4242 4242.",
      expiryEmpty: "Your card's expiration date is incomplete.",
      expiryWrong: "Your card's expiration date is invalid.",
      expiryPast: "Your card's expiration date is in the past.",
      cvcWrong: "Your card's security code is incomplete.",
      bank: 'Your bank asks whether it is you',
      bankText: 'With this test card, the bank asks you to confirm the payment.',
      agree: 'Complete authentication',
      refuse: 'Fail authentication',
      unreachable: 'The test payments cannot be reached. Please try again.',
    },
    es: {
      hint: 'Pagos de prueba: aquí solo sirven los números de prueba de Stripe, como 4242 4242 4242 4242.',
      number: 'Número de tarjeta',
      expiry: 'Vencimiento',
      expiryHint: 'MM / AA',
      cvc: 'Código de seguridad',
      numberEmpty: 'El número de su tarjeta está incompleto.',
      numberWrong: 'Aquí solo sirven los números de prueba de Stripe, como 4242 4242 4242 4242.',
      expiryEmpty: 'La fecha de vencimiento de su tarjeta está incompleta.',
      expiryWrong: 'La fecha de vencimiento de su tarjeta no es válida.',
      expiryPast: 'La fecha de vencimiento de su tarjeta ya ha pasado.',
      cvcWrong: 'El código de seguridad de su tarjeta está incompleto.',
      bank: 'Su banco pregunta si es usted',
      bankText: 'Con esta tarjeta de prueba, el banco le pide que confirme el pago.',
      agree: 'Completar la autenticación',
      refuse: 'Rechazar la autenticación',
      unreachable: 'No se puede acceder a los pagos de prueba. Inténtelo de nuevo.',
    },
  };

  const STYLE = `
    .sandbox-card { display: grid; gap: 12px; grid-template-columns: 1fr 1fr; }
    .sandbox-card > p, .sandbox-card > .sandbox-wide { grid-column: 1 / -1; margin: 0; }
    .sandbox-card label { display: block; font-weight: 500; margin-bottom: 4px; }
    .sandbox-card input {
      box-sizing: border-box; width: 100%; min-height: 44px; padding: 0 12px; font: inherit; color: inherit;
      background: transparent; border: 1px solid currentColor; border-radius: 8px; font-variant-numeric: tabular-nums;
    }
    .sandbox-card input[aria-invalid='true'] { border-color: var(--mantine-color-error, #c92a2a); }
    .sandbox-card .sandbox-error { margin: 4px 0 0; font-size: 0.875em; color: var(--mantine-color-error, #c92a2a); }
    .sandbox-card .sandbox-error:empty { display: none; }
    .sandbox-card button {
      min-height: 44px; padding: 0 16px; font: inherit; color: inherit; background: transparent; cursor: pointer;
      border: 1px solid currentColor; border-radius: 8px;
    }
    .sandbox-card input:focus-visible, .sandbox-card button:focus-visible, .sandbox-card h3:focus-visible {
      outline: 2px solid var(--mantine-primary-color-filled, #0b6b6b); outline-offset: 2px;
    }
    .sandbox-dialog { max-width: 26rem; padding: 24px; border: 1px solid currentColor; border-radius: 8px; }
    .sandbox-dialog:not([open]) { display: none; }
    .sandbox-card h3 { grid-column: 1 / -1; margin: 0; font-size: 1em; }
  `;

  let isStyled = false;
  function style() {
    if (isStyled) return;
    isStyled = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    document.adoptedStyleSheets.push(sheet);
  }

  /** @param {string} type @param {string} message @param {string} [code] */
  const failure = (type, message, code) => ({ error: /** @type {any} */ ({ type, message, code }) });

  /**
   * Calls the sandbox. Returns its answer, or an error in Stripe.js's form.
   * @param {string} key @param {string} path @param {Record<string, string>} fields
   */
  async function call(key, path, fields) {
    return send(key, path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** @param {string} key @param {string} path @param {RequestInit} [request] @returns {Promise<any>} */
  async function send(key, path, request) {
    try {
      const answer = await fetch(SERVER + path, { ...request, headers: { Authorization: `Bearer ${key}` } });
      return await answer.json();
    } catch {
      return failure('api_connection_error', words('auto').unreachable);
    }
  }

  /** @param {string | undefined} locale */
  function words(locale) {
    const language = !locale || locale === 'auto' ? document.documentElement.lang : locale;
    return language.startsWith('es') ? WORDS.es : WORDS.en;
  }

  /** @template {keyof HTMLElementTagNameMap} Name @param {Name} name @param {Record<string, string>} attributes @param {string} [text] */
  function node(name, attributes, text = '') {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  }

  const digitsOf = (/** @type {string} */ text) => text.replaceAll(/\D/g, '');

  /** The fields of a card. They are read only to be sent to the sandbox. @param {typeof WORDS.en} t */
  function cardFields(t) {
    const root = node('div', { class: 'sandbox-card' });
    root.append(node('p', {}, t.hint));
    /** @param {string} name @param {string} label @param {string} hint @param {boolean} isWide */
    const field = (name, label, hint, isWide) => {
      const id = `sandbox-${name}`;
      const box = node('div', { class: isWide ? 'sandbox-wide' : '' });
      const input = node('input', {
        id,
        inputmode: 'numeric',
        // Browsers must not fill in a real card.
        autocomplete: 'off',
        placeholder: hint,
        'aria-describedby': `${id}-error`,
      });
      const error = node('p', { id: `${id}-error`, class: 'sandbox-error' });
      box.append(node('label', { for: id }, label), input, error);
      root.append(box);
      input.addEventListener('input', () => mark(''));
      const mark = (/** @type {string} */ text) => {
        error.textContent = text;
        if (text) input.setAttribute('aria-invalid', 'true');
        else input.removeAttribute('aria-invalid');
      };
      return { input, mark };
    };
    const number = field('number', t.number, '4242 4242 4242 4242', true);
    const expiry = field('expiry', t.expiry, t.expiryHint, false);
    const cvc = field('cvc', t.cvc, '123', false);
    number.input.addEventListener('input', () => {
      const digits = digitsOf(number.input.value).slice(0, 19);
      if (number.input.selectionStart === number.input.value.length) {
        number.input.value = digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
      }
    });
    expiry.input.addEventListener('input', (event) => {
      const isTyped = event instanceof InputEvent && event.inputType.startsWith('insert');
      const digits = digitsOf(expiry.input.value).slice(0, 4);
      if (isTyped && digits.length >= 2) expiry.input.value = `${digits.slice(0, 2)} / ${digits.slice(2)}`;
    });

    const read = () => {
      const [month, year] = expiry.input.value.includes('/')
        ? expiry.input.value.split('/').map(digitsOf)
        : [digitsOf(expiry.input.value).slice(0, 2), digitsOf(expiry.input.value).slice(2)];
      return { number: digitsOf(number.input.value), month: month ?? '', year: year ?? '', cvc: digitsOf(cvc.input.value) };
    };

    /** Marks invalid fields and focuses the first. Returns its message. */
    const check = () => {
      const { number: digits, month, year, cvc: code } = read();
      const wrong = [
        [number, digits.length < 13 ? t.numberEmpty : TEST_NUMBERS.includes(digits) ? '' : t.numberWrong],
        [expiry, expirySentence(month, year)],
        [cvc, code.length === 3 || code.length === 4 ? '' : t.cvcWrong],
      ];
      /** @type {string | undefined} */
      let first;
      for (const [place, sentence] of /** @type {[typeof number, string][]} */ (wrong)) {
        place.mark(sentence);
        if (sentence && first === undefined) {
          first = sentence;
          place.input.focus();
        }
      }
      return first;
    };
    const expirySentence = (/** @type {string} */ month, /** @type {string} */ year) => {
      if (month === '' || (year.length !== 2 && year.length !== 4)) return t.expiryEmpty;
      if (Number(month) < 1 || Number(month) > 12) return t.expiryWrong;
      const end = new Date(Number(year.length === 2 ? `20${year}` : year), Number(month), 1);
      return end <= new Date() ? t.expiryPast : '';
    };
    return { root, read, check, number };
  }

  /** A group of elements. Berth uses only its payment element. @param {any} options */
  function makeElements(options = {}) {
    let t = words(options.locale);
    /** @type {ReturnType<typeof cardFields> | undefined} */
    let fields;
    /** @type {any} */
    let element;

    const create = (/** @type {string} */ kind) => {
      /** @type {Map<string, Set<(event: object) => void>>} */
      const listeners = new Map();
      const tell = (/** @type {string} */ name, more = {}) => {
        for (const listener of listeners.get(name) ?? []) listener({ elementType: kind, ...more });
      };
      element = {
        mount(/** @type {string | HTMLElement} */ place) {
          style();
          const host = typeof place === 'string' ? document.querySelector(place) : place;
          fields = cardFields(t);
          const { root } = fields;
          root.addEventListener('input', () => {
            const empty = [...root.querySelectorAll('input')].every(({ value }) => value === '');
            tell('change', { empty });
          });
          host?.replaceChildren(fields.root);
          queueMicrotask(() => tell('ready'));
        },
        on(/** @type {string} */ name, /** @type {(event: object) => void} */ listener) {
          listeners.set(name, (listeners.get(name) ?? new Set()).add(listener));
          return element;
        },
        once(/** @type {string} */ name, /** @type {(event: object) => void} */ listener) {
          return element.on(name, listener);
        },
        off(/** @type {string} */ name, /** @type {(event: object) => void} */ listener) {
          listeners.get(name)?.delete(listener);
          return element;
        },
        update() {},
        focus: () => fields?.number.input.focus(),
        blur() {},
        clear() {},
        collapse() {},
        unmount() {
          fields?.root.remove();
        },
        destroy() {
          fields?.root.remove();
          fields = undefined;
          element = undefined;
        },
      };
      return element;
    };

    return {
      create,
      getElement: () => element ?? null,
      update(/** @type {any} */ changed) {
        options = { ...options, ...changed };
        t = words(options.locale);
      },
      fetchUpdates: async () => ({}),
      async submit() {
        const sentence = fields?.check();
        return sentence ? failure('validation_error', sentence) : { selectedPaymentMethod: 'card' };
      },
      fields: () => fields,
      words: () => t,
    };
  }

  /**
   * Shows the bank's question in `root` and waits for the answer.
   * @param {HTMLElement} root @param {typeof WORDS.en} t @returns {Promise<boolean>}
   */
  function ask(root, t) {
    return new Promise((resolve) => {
      const heading = node('h3', { tabindex: '-1' }, t.bank);
      const [agree, refuse] = [node('button', { type: 'button' }, t.agree), node('button', { type: 'button' }, t.refuse)];
      agree.addEventListener('click', () => resolve(true));
      refuse.addEventListener('click', () => resolve(false));
      root.replaceChildren(heading, node('p', {}, t.bankText), agree, refuse);
      heading.focus();
    });
  }

  /** Asks in the place of the card's fields. @param {any} elements */
  async function askInFields(elements) {
    const { root } = elements.fields();
    const before = [...root.childNodes];
    const agreed = await ask(root, elements.words());
    root.replaceChildren(...before);
    return agreed;
  }

  /** Asks in a dialog over the page; there are no fields when a saved card pays. */
  async function askInDialog() {
    style();
    const t = words('auto');
    const dialog = node('dialog', { class: 'sandbox-card sandbox-dialog', 'aria-label': t.bank });
    // The question must be answered, so Escape does not close it.
    dialog.addEventListener('cancel', (event) => event.preventDefault());
    document.body.append(dialog);
    dialog.showModal();
    const agreed = await ask(dialog, t);
    dialog.close();
    dialog.remove();
    return agreed;
  }

  /** @param {string} key */
  function makeStripe(key) {
    /** @param {any} elements */
    const createCard = (elements) => {
      const { number, month, year, cvc } = elements.fields().read();
      const fields = { 'card[number]': number, 'card[exp_month]': month, 'card[exp_year]': year, 'card[cvc]': cvc };
      return call(key, '/v1/payment_methods', { type: 'card', ...fields });
    };
    return /** @satisfies {Pick<Stripe, 'createToken' | 'createPaymentMethod' | 'confirmCardPayment' | 'retrievePaymentIntent' | 'confirmSetup' | 'elements'>} */ ({
      elements: (/** @type {any} */ options) => /** @type {any} */ (makeElements(options)),
      async createPaymentMethod(/** @type {any} */ { elements }) {
        const paymentMethod = await createCard(elements);
        return paymentMethod.error ? { error: paymentMethod.error } : { paymentMethod };
      },
      async confirmSetup(/** @type {any} */ { elements, clientSecret }) {
        const method = await createCard(elements);
        if (method.error) return { error: method.error };
        const intentId = clientSecret.split('_secret_')[0];
        let intent = await call(key, `/v1/setup_intents/${intentId}/confirm`, {
          client_secret: clientSecret,
          payment_method: method.id,
        });
        if (intent.status === 'requires_action') {
          const agreed = await askInFields(elements);
          intent = await call(key, `/authenticate/${intentId}`, { client_secret: clientSecret, agreed: `${agreed}` });
        }
        return /** @type {any} */ (intent.error ? { error: intent.error } : { setupIntent: intent });
      },
      async confirmCardPayment(/** @type {string} */ clientSecret, /** @type {any} */ data = {}) {
        const intentId = clientSecret.split('_secret_')[0];
        const method = data.payment_method;
        let intent = await call(key, `/v1/payment_intents/${intentId}/confirm`, {
          client_secret: clientSecret,
          ...(typeof method === 'string' ? { payment_method: method } : {}),
        });
        if (intent.status === 'requires_action') {
          const agreed = await askInDialog();
          intent = await call(key, `/authenticate/${intentId}`, { client_secret: clientSecret, agreed: `${agreed}` });
        }
        return /** @type {any} */ (intent.error ? { error: intent.error } : { paymentIntent: intent });
      },
      async retrievePaymentIntent(/** @type {string} */ clientSecret) {
        const intentId = clientSecret.split('_secret_')[0];
        const query = new URLSearchParams({ client_secret: clientSecret });
        const intent = await send(key, `/v1/payment_intents/${intentId}?${query}`);
        return /** @type {any} */ (intent.error ? { error: intent.error } : { paymentIntent: intent });
      },
      // Berth uses no card tokens.
      createToken: async () => failure('invalid_request_error', 'Tokens are not part of the test payments.'),
    });
  }

  /** @type {any} */ (window).Stripe = makeStripe;
})();
