"""The random numbers of switches (xorshift)."""

MASK32 = 2**32 - 1
GOLDEN = 0x9E3779B9


class Generator:
    """The random numbers of one switch.

    Examples
    --------
    Switch 0 of level 1, as in the contract:

    >>> generator = Generator(0x12345678, 0)
    >>> hex(generator.word), [hex(generator.draw(i)) for i in range(2)]
    ('0x8c032fc1', ['0x2fc1', '0xf831'])
    >>> generator.step()
    >>> hex(generator.word)
    '0xd6941cbc'
    """

    def __init__(self, seed: int, node: int) -> None:
        self.word = seed ^ (node + 1) * GOLDEN & MASK32 or 1

    def step(self) -> None:
        """Go on by a clock."""
        x = self.word
        x ^= x << 13 & MASK32
        x ^= x >> 17
        x ^= x << 5 & MASK32
        self.word = x

    def draw(self, lane: int) -> int:
        """Return the 16 bits of input VC `lane`, counted through the switches of a level."""
        turn = 5 * lane % 32
        return (self.word << turn | self.word >> 32 - turn) & 0xFFFF
