"""Operations that combine several subjects."""
