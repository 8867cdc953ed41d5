/** The port that apps rely on: 7682 spells ROTA on a phone keypad. */
export const defaultPort = 7682;
export const loopbackAddress = '127.0.0.1';
